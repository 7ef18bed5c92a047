package broken.remote;

import broken.registry.RegistryThatKnowsTheEdge;

public record RemoteThatKnowsTheRegistry(RegistryThatKnowsTheEdge registry) {}
