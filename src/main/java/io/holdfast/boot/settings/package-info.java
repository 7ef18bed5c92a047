/** Checks of the settings at start: unknown names, wrong values, relations between settings. */
package io.holdfast.boot.settings;
