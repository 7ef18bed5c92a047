/**
 * The command {@code services}: registers services, writes their status, runs deployments, shows and follows their moves, and
 * pauses the reconciler.
 */
package io.holdfast.cli.service;
