/**
 * The processes of the job as one of them knows them: which rank it is itself, where the others are, and which of them
 * share a host.
 */
package org.ulfmj.runtime.member;
