using System.Runtime.Versioning;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>Checks the manifest that the documentation shows against the schema of the API.</summary>
public sealed class KubernetesManifestTests
{
    private static readonly string Check = Path.Combine(MarkdownPages.Root, "test", "kubernetes", "check-manifest.mjs");
    private static readonly string Script = Path.Combine(MarkdownPages.Root, "samples", "ScaleOut", "kubernetes-copy");
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

    /// <summary>Jobs of an earlier copy are neither taken for new ones nor replaced. The program that stands for kubectl answers as the API does.</summary>
    [UnixFact]
    [UnsupportedOSPlatform("windows")]
    public async Task Copy_JobsExist_FailsInsteadOfShowingAnOldResult()
    {
        const string Api = """
            #!/usr/bin/env bash
            cd "$(dirname "$0")"
            case $1 in
            create) step=${5#step=}; [ ! -e "$step" ] || { echo "Error from server (AlreadyExists): jobs \"transfer-$step\" already exists" >&2; exit 1; }; echo "id-$step" | tee "$step" ;;
            get) [ ! -e replaced ] || echo "another" >"${3#transfer-}"; printf '%s Complete ' "$(cat "${3#transfer-}")" ;;
            logs) echo "log of $(cat finish)" ;;
            esac
            """;
        using TemporaryFolder folder = new();
        Assert.Equal("log of id-finish\n", await CopyAsync(folder, Api));
        Assert.Contains("already exists", await FailAsync(folder, Api), StringComparison.Ordinal);

        foreach (string step in new[] { "plan", "run", "finish" })
        {
            File.Delete(folder.File(step));
        }

        await File.WriteAllTextAsync(folder.File("replaced"), string.Empty);
        Assert.Contains("job/transfer-plan is not the one that was created", await FailAsync(folder, Api), StringComparison.Ordinal);
        Assert.Contains("job/transfer-plan was not created", await FailAsync(folder, "#!/usr/bin/env bash\n[ $1 = create ] || echo ' Complete '\n"), StringComparison.Ordinal);
    }

    [UnsupportedOSPlatform("windows")]
    private static async Task<string> FailAsync(TemporaryFolder folder, string kubectl)
    {
        string message = (await Assert.ThrowsAnyAsync<Xunit.Sdk.XunitException>(() => CopyAsync(folder, kubectl))).Message;
        Assert.DoesNotContain("log of", message, StringComparison.Ordinal);
        return message;
    }

    [UnsupportedOSPlatform("windows")]
    private static async Task<string> CopyAsync(TemporaryFolder folder, string kubectl)
    {
        await File.WriteAllTextAsync(folder.File("kubectl"), kubectl);
        File.SetUnixFileMode(folder.File("kubectl"), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        Dictionary<string, string> environment = new() { ["PATH"] = $"{folder.Path}:{Environment.GetEnvironmentVariable("PATH")}" };
        return await ExternalProgram.RunInAsync(folder.Path, "bash", environment, Deadline.Longest, Script);
    }

    private static Task CheckAsync(string manifest) => ExternalProgram.RunAsync("node", new Dictionary<string, string>(), Check, manifest, SchemaFactAttribute.Folder!);
}
