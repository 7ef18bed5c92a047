/** Access control: who sends a request, and what a sender may do. Entry point: AccessService. Knows no HTTP and no store. */
package io.holdfast.access;
