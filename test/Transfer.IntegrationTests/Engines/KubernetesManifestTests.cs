using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>Checks the manifest that the documentation shows against the schema of the API.</summary>
public sealed class KubernetesManifestTests
{
    private static readonly string Check = Path.Combine(MarkdownPages.Root, "test", "kubernetes", "check-manifest.mjs");
    private static readonly string Manifest = Path.Combine(MarkdownPages.Root, "samples", "ScaleOut", "kubernetes.yaml");

    [SchemaFact]
    public Task Manifest_MatchesTheSchema() => CheckAsync(Manifest);

    [SchemaFact]
    public async Task Check_ManifestIsWrong_NamesWhatIsWrong()
    {
        using TemporaryFolder folder = new();
        foreach ((string right, string wrong, string message) in ((string, string, string)[])
        [
            ("backoffLimitPerIndex", "backoffLimitPerShard", "\"backoffLimitPerShard\"' does not exist"),
            ("completions: 200", "completions: many", "data/spec/completions must be integer"),
            ("args: [run", "arguments: [run", "\"arguments\"' does not exist"),
            (", status: \"True\"", string.Empty, "must have required property status"),
        ])
        {
            string text = await File.ReadAllTextAsync(Manifest);
            Assert.Contains(right, text, StringComparison.Ordinal);
            await File.WriteAllTextAsync(folder.File("wrong.yaml"), text.Replace(right, wrong, StringComparison.Ordinal));

            Xunit.Sdk.XunitException failure = await Assert.ThrowsAnyAsync<Xunit.Sdk.XunitException>(() => CheckAsync(folder.File("wrong.yaml")));

            Assert.Contains(message, failure.Message, StringComparison.Ordinal);
        }
    }

    private static Task CheckAsync(string manifest) => ExternalProgram.RunAsync("node", new Dictionary<string, string>(), Check, manifest, SchemaFactAttribute.Folder!);
}
