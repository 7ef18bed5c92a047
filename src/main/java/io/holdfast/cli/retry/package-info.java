/** What commands need that repeat a request until it is answered: pauses, their early end, messages. Knows {@code api}. */
package io.holdfast.cli.retry;
