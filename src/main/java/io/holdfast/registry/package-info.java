/** Apps, databases, and who shares what. Knows nobody but the kernel. */
package io.holdfast.registry;
