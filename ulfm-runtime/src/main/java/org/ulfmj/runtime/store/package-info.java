/** A rank's calls to the store of its job: the way there, and the waits for answers. */
package org.ulfmj.runtime.store;
