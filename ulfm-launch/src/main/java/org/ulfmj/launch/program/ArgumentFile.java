package org.ulfmj.launch.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.command.UsageException;
import org.ulfmj.transport.host.SystemReason;

/**
 * Reads the words of an {@code @file} argument, or of another text in its form, as the {@code java} launcher does:
 * words separated by white space, quoted parts with {@code \n \r \t \f} and {@code \x} for x, and comments from
 * {@code #} at the beginning of a word to the end of the line.
 */
public final class ArgumentFile {
    private final String text;
    private final List<String> words = new ArrayList<>();
    private StringBuilder word;
    private int position;

    private ArgumentFile(String text) {
        this.text = text;
    }

    public static List<String> words(Path file) {
        try {
            return words(Files.readString(file));
        } catch (IOException e) {
            throw new UsageException("cannot read argument file " + file + ": " + SystemReason.withoutPath(e));
        }
    }

    public static List<String> words(String text) {
        ArgumentFile reader = new ArgumentFile(text);
        while (reader.position < text.length()) {
            reader.take(text.charAt(reader.position++));
        }
        reader.endWord();
        return reader.words;
    }

    private void take(char c) {
        if (c == '"' || c == '\'') {
            startWord();
            takeQuoted(c);
        } else if (Character.isWhitespace(c)) {
            endWord();
        } else if (c == '#' && word == null) {
            int end = text.indexOf('\n', position);
            position = end < 0 ? text.length() : end;
        } else {
            startWord();
            word.append(c);
        }
    }

    private void takeQuoted(char quote) {
        while (position < text.length()) {
            char c = text.charAt(position++);
            if (c == quote) {
                return;
            }
            if (c == '\\' && position < text.length()) {
                takeEscaped(text.charAt(position++));
            } else {
                word.append(c);
            }
        }
    }

    private void takeEscaped(char c) {
        switch (c) {
            case 'n' -> word.append('\n');
            case 'r' -> word.append('\r');
            case 't' -> word.append('\t');
            case 'f' -> word.append('\f');
            case '\n' -> skipBlanks();
            default -> word.append(c);
        }
    }

    /**
     * Skips blanks and tabs. After a backslash that ends a line inside quotes, the text continues at the first visible
     * character of the next line.
     */
    private void skipBlanks() {
        while (position < text.length() && (text.charAt(position) == ' ' || text.charAt(position) == '\t')) {
            position++;
        }
    }

    private void startWord() {
        if (word == null) {
            word = new StringBuilder();
        }
    }

    private void endWord() {
        if (word != null) {
            words.add(word.toString());
            word = null;
        }
    }
}
