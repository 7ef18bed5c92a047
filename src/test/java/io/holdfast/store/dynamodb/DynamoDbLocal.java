package io.holdfast.store.dynamodb;

import io.holdfast.deploy.TablePermissions;
import io.holdfast.suite.SuiteGuard;
import io.quarkus.bootstrap.resolver.maven.BootstrapMavenException;
import io.quarkus.bootstrap.resolver.maven.MavenArtifactResolver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/**
 * A real DynamoDB Local, in a process of its own, so that nothing of it is on our classpath. It keeps everything in
 * memory, is shared by all tests of a JVM, and ends with that JVM, also when that JVM is killed. Tests that share it
 * keep apart by using tables of their own.
 */
public final class DynamoDbLocal {

    private static final String SERVER = "software.amazon.dynamodb:DynamoDBLocal:3.3.1";
    /** The SDK that the server itself runs on; the one it asks for is not in every repository as a whole. */
    private static final String SERVER_SDK = "software.amazon.awssdk:bom:pom:2.41.0";

    private static final String VERSIONS = SERVER + "\n" + SERVER_SDK + "\n";

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path HOME = TARGET.resolve("dynamodb-local");
    private static final Path LOG =
            TARGET.resolve("dynamodb-local-" + System.getProperty("test.fork", "fork-1") + ".log");
    private static final String MARKER = "versions.txt";
    private static final int LOG_TAIL_LINES = 40;

    private static final Duration READY_WITHIN = Duration.ofMinutes(4);
    private static final Duration PROBE_EVERY = Duration.ofMillis(100);

    private static final String ENDPOINT_PROPERTY = "dynamodb-local.endpoint";

    /** Shared, since a client that has its own takes seconds to close. */
    private static final SdkEventLoopGroup EVENT_LOOPS =
            SdkEventLoopGroup.builder().numberOfThreads(2).build();

    private final URI endpoint;

    private DynamoDbLocal(URI endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * The one process of this JVM, started by the first call. A test and its resources may be loaded by different class
     * loaders, so what they share is kept by the JVM and not in a static field.
     */
    public static DynamoDbLocal shared() {
        synchronized (Runtime.getRuntime()) {
            String running = System.getProperty(ENDPOINT_PROPERTY);
            if (running != null) {
                return new DynamoDbLocal(URI.create(running));
            }
            DynamoDbLocal started = start();
            System.setProperty(ENDPOINT_PROPERTY, started.endpoint.toString());
            return started;
        }
    }

    public URI endpoint() {
        return endpoint;
    }

    /** A new client that never retries; the caller closes it. */
    public DynamoDbAsyncClient client() {
        return client(endpoint);
    }

    /** As {@link #client()}, with no more permissions than the role that a replica has on AWS. */
    public DynamoDbAsyncClient replicasClient() {
        return builder(endpoint)
                .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry())
                        .addExecutionInterceptor(new TablePermissions()))
                .build();
    }

    /** As {@link #client()}, by way of another endpoint, such as a {@link FaultProxy}'s. */
    public DynamoDbAsyncClient client(URI endpoint) {
        return builder(endpoint)
                .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
    }

    private static DynamoDbAsyncClientBuilder builder(URI endpoint) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(NettyNioAsyncHttpClient.builder().eventLoopGroup(EVENT_LOOPS));
    }

    private static DynamoDbLocal start() {
        SuiteGuard.refuseInCheck("DynamoDB Local");
        try {
            install();
            int port = freePort();
            Process process = new ProcessBuilder(command(port))
                    .redirectErrorStream(true)
                    .redirectOutput(LOG.toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "dynamodb-local-end"));
            DynamoDbLocal local = new DynamoDbLocal(URI.create("http://127.0.0.1:" + port));
            local.awaitReady(process);
            return local;
        } catch (IOException e) {
            throw new UncheckedIOException("DynamoDB Local did not start", e);
        }
    }

    private static List<String> command(int port) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        // It lives for minutes, on a machine that it shares with everything else.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-Djava.library.path=" + HOME);
        command.add("-cp");
        command.add(HOME.resolve("*") + System.getProperty("path.separator") + TARGET.resolve("test-classes"));
        command.add(EndsWithItsParent.class.getName());
        command.addAll(List.of("-inMemory", "-sharedDb", "-disableTelemetry", "-port", Integer.toString(port)));
        return command;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady(Process process) throws IOException {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        try (DynamoDbAsyncClient client = client()) {
            while (!answers(client)) {
                boolean ended = process.waitFor(PROBE_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                if (ended || System.nanoTime() > deadline) {
                    process.destroyForcibly();
                    String why =
                            ended ? "ended with code " + process.exitValue() : "is not ready after " + READY_WITHIN;
                    throw new IllegalStateException("DynamoDB Local " + why + "; its last words:\n" + logTail());
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while DynamoDB Local was starting", e);
        }
    }

    private static boolean answers(DynamoDbAsyncClient client) {
        try {
            client.listTables().orTimeout(5, TimeUnit.SECONDS).join();
            return true;
        } catch (CompletionException notYet) {
            return false;
        }
    }

    private static String logTail() throws IOException {
        List<String> lines = Files.readAllLines(LOG, StandardCharsets.ISO_8859_1);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    }

    /** Whole or not at all: the folder gets its name only when everything is in it. */
    private static void install() throws IOException {
        if (installed()) {
            return;
        }
        Files.createDirectories(TARGET);
        Path staging = Files.createTempDirectory(TARGET, "dynamodb-local-");
        try {
            for (Path file : resolve()) {
                Files.copy(file, staging.resolve(file.getFileName()));
            }
            Files.writeString(staging.resolve(MARKER), VERSIONS);
            delete(HOME);
            Files.move(staging, HOME, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // Another JVM may have been faster; what it installed is as good as ours.
            if (!installed()) {
                throw e;
            }
        } finally {
            delete(staging);
        }
    }

    private static boolean installed() throws IOException {
        Path marker = HOME.resolve(MARKER);
        return Files.exists(marker) && Files.readString(marker).equals(VERSIONS);
    }

    private static List<Path> resolve() {
        try {
            MavenArtifactResolver maven =
                    MavenArtifactResolver.builder().setWorkspaceDiscovery(false).build();
            // A dependency and not the root: managed versions do not reach what the root itself asks for.
            CollectRequest server = new CollectRequest()
                    .addDependency(new Dependency(new DefaultArtifact(SERVER), "runtime"))
                    .setManagedDependencies(maven.resolveDescriptor(new DefaultArtifact(SERVER_SDK))
                            .getManagedDependencies())
                    .setRepositories(maven.getRepositories());
            return maven
                    .getSystem()
                    .resolveDependencies(maven.getSession(), new DependencyRequest(server, null))
                    .getArtifactResults()
                    .stream()
                    .map(ArtifactResult::getArtifact)
                    .map(artifact -> artifact.getFile().toPath())
                    .toList();
        } catch (BootstrapMavenException | DependencyResolutionException e) {
            throw new IllegalStateException("could not resolve " + SERVER, e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** The process' main: a killed parent runs no shutdown hook, but its end of the pipe closes all the same. */
    static final class EndsWithItsParent {

        private EndsWithItsParent() {}

        public static void main(String[] args) throws ReflectiveOperationException {
            Thread.ofPlatform().daemon().name("parent-watch").start(EndsWithItsParent::awaitParentsEnd);
            Class.forName("software.amazon.dynamodb.services.local.main.ServerRunner")
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) args);
        }

        private static void awaitParentsEnd() {
            try {
                while (System.in.read() >= 0) {
                    // Nobody writes; the end of the stream is the message.
                }
            } catch (IOException e) {
                // A broken pipe says the same.
            }
            Runtime.getRuntime().halt(0);
        }
    }
}
