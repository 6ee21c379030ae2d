/** The processes of the job as one of them knows them: which rank it is itself, and where the others are. */
package org.ulfmj.runtime.member;
