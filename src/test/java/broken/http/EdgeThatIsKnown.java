package broken.http;

public record EdgeThatIsKnown(String name) {}
