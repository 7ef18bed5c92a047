/** Small things that every package needs: pages and cursors, checks of text and settings, timers. Knows no other package. */
package io.holdfast.kernel;
