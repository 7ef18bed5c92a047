/** Subjects, permissions, grants, and the pure decision whether the grants allow a request. */
package io.holdfast.access.model;
