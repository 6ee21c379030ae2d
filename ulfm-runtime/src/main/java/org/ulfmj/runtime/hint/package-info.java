/** The hints of a communicator that say how it treats failures. */
package org.ulfmj.runtime.hint;
