/**
 * The launcher in a job whose coordinator is elected ({@code --rdzv}): how it takes the office of the coordinator,
 * loses it and wins it back, and how another launcher finds such a job or deletes what it has left in etcd.
 */
package org.ulfmj.launch.office;
