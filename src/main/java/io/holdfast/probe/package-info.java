/** Is an app up? Asked over HTTP, of Kubernetes, or of a status gateway. Implements power's port. */
package io.holdfast.probe;
