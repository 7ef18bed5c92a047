# Holdfast. `make help` lists what there is to do.

# The newest JDK of at least 21: JAVA_HOME if it is one, else the homes beside the default one.
JDK_MIN := 21
JDK := $(shell sh tools/find-jdk $(JDK_MIN))
MVN = JAVA_HOME='$(JDK)' mvn
JAR := target/quarkus-app/quarkus-run.jar
SOURCES := pom.xml $(shell find src/main -type f)
PREFIX ?= /usr/local
export PREFIX DESTDIR

.DEFAULT_GOAL := help
.PHONY: help run install uninstall demo demo-jobs check test bench contract dev format native tracing clean jdk

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(JAR) ## Serve on port 8080 with the embedded store in ./data (builds if needed)
	@sh tools/run '$(JDK)/bin/java' --enable-native-access=ALL-UNNAMED -jar $(JAR)

# A native program is installed as it is if it was built last.
install: $(if $(shell sh tools/install native),jdk,$(JAR)) ## Install the program below PREFIX, which is /usr/local (builds if needed)
	@sh tools/install install '$(JDK)/bin/java'

uninstall: ## Remove what was installed below PREFIX
	@sh tools/install uninstall

demo: $(JAR) ## Watch three apps share a PostgreSQL that stops with the last of them (builds if needed)
	@$(MVN) -B -q test-compile dependency:build-classpath -Dmdep.outputFile=target/demo.classpath
	@exec '$(JDK)/bin/java' -cp "target/test-classes:target/classes:$$(cat target/demo.classpath)" io.holdfast.stage.Demo

demo-jobs: $(JAR) ## Watch a worker be killed in the middle of a job, and another one take over (builds if needed)
	@sh tools/demo-jobs '$(JDK)/bin/java' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -jar $(JAR)

# The tests that start Quarkus, DynamoDB Local or a process are annotated as slow. Those that lack the annotation fail here.
check: jdk ## Check the format, compile, and run the tests that start nothing else
	$(MVN) -B -q test -DexcludedGroups=benchmark,slow -Dtest.check=true -Dpower.histories=200

# Without these tools, the tests that need them are skipped.
TOOLS := kubectl,https://kubernetes.io/docs/tasks/tools promtool,https://prometheus.io/download zsh,https://www.zsh.org
test: jdk ## Build everything and run all tests, also against the packaged program
	@for tool in $(TOOLS); do command -v "$${tool%%,*}" >/dev/null || \
	    echo "$${tool%%,*} is not installed, so some tests are skipped. Get it from $${tool#*,}"; done
	$(MVN) -B verify

# A native program that is there is measured as it is.
bench: $(if $(wildcard target/*-runner),jdk,$(JAR)) ## Measure and print the figures
	$(MVN) -B test -DexcludedGroups= -Dgroups=benchmark -Dtest='*Benchmark' -Dtest.forks=1 -Dtest.jvm.args='--enable-native-access=ALL-UNNAMED -Xmx3g' | grep -E 'BENCH|ERROR|BUILD'

contract: jdk ## Derive contract/openapi.json from contract/openapi.yaml
	$(MVN) -q test -Dtest=ContractTest -Dcontract.write=true

dev: jdk ## Serve with live reload
	$(MVN) quarkus:dev

format: jdk ## Format the code
	$(MVN) -q spotless:apply

# What file names and arguments are written in is settled when a native program is built.
native: jdk ## Build the native binary (needs GRAALVM_HOME) and run the integration tests against it
	LC_ALL=C.UTF-8 $(MVN) -B verify -Dnative

tracing: jdk ## Build the program with tracing in it
	$(MVN) -B -q package -DskipTests -Dtracing

clean: jdk ## Remove what was built
	$(MVN) -q clean

$(JAR): $(SOURCES) | jdk
	$(MVN) -B -q package -DskipTests
	@touch $@

jdk:
	@test -n '$(JDK)' || { echo 'A JDK of at least $(JDK_MIN) is needed: install one, or set JAVA_HOME to it.' >&2; exit 1; }
