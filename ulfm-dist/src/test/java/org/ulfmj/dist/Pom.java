package org.ulfmj.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** A pom as it stands in its file; the poms in the source tree are published without changes. */
record Pom(Element project) {
    static final Path HOME = Path.of("").toAbsolutePath().getParent();

    /**
     * A dependency in a pom.
     *
     * @param name group and artifact, with a colon between them
     * @param version the version; empty if another pom gives it
     */
    record Dependency(String name, String version, String scope, boolean isOptional) {
        /** Whether a project that depends on this pom's module gets this dependency at run time, too. */
        boolean isPassedOn() {
            return !isOptional && (scope.isEmpty() || scope.equals("compile") || scope.equals("runtime"));
        }
    }

    /** Reads the pom of a module, by the module's directory in the source tree; an empty name is the root pom. */
    static Pom of(String module) throws IOException {
        return read(HOME.resolve(module).resolve("pom.xml"));
    }

    static Pom read(Path file) throws IOException {
        try {
            Document document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Files.newInputStream(file));
            return new Pom(document.getDocumentElement());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file.toString(), e);
        }
    }

    /** The text of the element at a path of element names with slashes between them; empty if there is none. */
    String text(String path) {
        return text(project, path);
    }

    /** The modules that it builds. */
    List<String> modules() {
        return elements(project, "modules/module").stream()
                .map(Node::getTextContent)
                .toList();
    }

    List<Dependency> dependencies() {
        return dependencies("dependencies/dependency");
    }

    List<Dependency> managedDependencies() {
        return dependencies("dependencyManagement/dependencies/dependency");
    }

    private List<Dependency> dependencies(String path) {
        return elements(project, path).stream()
                .map(element -> new Dependency(
                        text(element, "groupId") + ":" + text(element, "artifactId"),
                        text(element, "version"),
                        text(element, "scope"),
                        text(element, "optional").equals("true")))
                .toList();
    }

    private static String text(Element parent, String path) {
        List<Element> found = elements(parent, path);
        return found.isEmpty() ? "" : found.get(0).getTextContent();
    }

    private static List<Element> elements(Element parent, String path) {
        List<Element> found = List.of(parent);
        for (String name : path.split("/")) {
            List<Element> next = new ArrayList<>();
            for (Element each : found) {
                for (Node child = each.getFirstChild(); child != null; child = child.getNextSibling()) {
                    if (child instanceof Element element && element.getTagName().equals(name)) {
                        next.add(element);
                    }
                }
            }
            found = next;
        }
        return found;
    }
}
