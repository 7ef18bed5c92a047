/** Workers that wait for a job at this replica, and the work that is given to them. Knows {@code job.action}. */
package io.holdfast.job.dispatch;
