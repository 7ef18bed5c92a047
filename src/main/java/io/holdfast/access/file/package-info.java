/** The access file: reads the YAML strictly, with line and path in each error, and follows its changes. */
package io.holdfast.access.file;
