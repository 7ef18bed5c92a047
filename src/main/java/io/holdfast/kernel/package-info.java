/**
 * Basic types that every package uses: pages and cursors, checks of text and settings, timers. Knows no other package.
 */
package io.holdfast.kernel;
