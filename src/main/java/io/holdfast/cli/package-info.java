/** The service's API from a shell. Knows the API's words, and never starts the service. */
package io.holdfast.cli;
