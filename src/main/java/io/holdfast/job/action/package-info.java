/** Single steps of jobs: reads, lets the rules decide, and writes, until nothing has changed in between. */
package io.holdfast.job.action;
