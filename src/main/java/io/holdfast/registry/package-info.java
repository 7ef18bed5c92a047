/** Apps, databases, and the links between them. Knows only the kernel. */
package io.holdfast.registry;
