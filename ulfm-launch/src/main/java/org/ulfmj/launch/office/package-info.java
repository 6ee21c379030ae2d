/** The launcher in a job whose coordinator is elected ({@code --rdzv}): the office, lost and won back. */
package org.ulfmj.launch.office;
