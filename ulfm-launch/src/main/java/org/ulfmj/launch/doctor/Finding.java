package org.ulfmj.launch.doctor;

/**
 * One thing that the doctor has checked.
 *
 * @param what its name
 * @param found its state
 * @param advice what to change; null if nothing
 */
record Finding(String what, String found, String advice) {
    static Finding fine(String what, String found) {
        return new Finding(what, found, null);
    }
}
