/** The output of ranks and launcher: lines are kept whole, and forwarded without holding up the job. */
package org.ulfmj.launch.output;
