namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The connections of an application's HttpClientFactory, compared with those of the library.</summary>
internal static class FactoryContest
{
    private const long MiB = 1024 * 1024;
    private const string Own = "own connections";

    public static Contest Factory { get; } = new(
        "factory",
        [1024 * MiB],
        [
            new($"OpenReadAsync, Reader, {Own}", Contests.ReaderAsync) { IsReference = true },
            new("OpenReadAsync, Reader, HttpClientFactory", Contests.ReaderAsync) { Prepare = static bench => bench.Use(new PlainHttpClientFactory()) },
        ])
    {
        Description = "Reading on loopback over HTTP and HTTPS with an HttpClientFactory: the rate and the CPU time relative to the library's own connections.",
        Figures = [Figures.RelativeRate(Own), Figures.RelativeCpu(Own)],
        Servers = [ServerKind.Embedded, ServerKind.Tls],
    };
}
