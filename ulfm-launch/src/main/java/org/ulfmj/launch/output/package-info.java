/** What ranks and the launcher write: lines kept whole, forwarded without holding up the job. */
package org.ulfmj.launch.output;
