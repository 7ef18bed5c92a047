/** The moves of all services as they happen, for streams of events. Knows {@code lifecycle.action}. */
package io.holdfast.lifecycle.feed;
