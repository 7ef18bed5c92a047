/** Resources for access control: who the caller is, and what it may do. Knows {@code edge}, {@code wire} and {@code access}. */
package io.holdfast.http.access;
