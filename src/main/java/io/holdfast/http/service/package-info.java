/** Resources for services. Knows {@code edge}, {@code wire}, services, and the refusals of locks. */
package io.holdfast.http.service;
