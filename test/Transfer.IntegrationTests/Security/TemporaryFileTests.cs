using System.Runtime.Versioning;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Security;

/// <summary>Incomplete files are accessible only to their owner, whatever the umask is.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class TemporaryFileTests : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const int Part = 64 * 1024;
    private static readonly byte[] Content = Sample.Bytes(6 * Part);
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [UnixTheory]
    [InlineData("000", (UnixFileMode)0x1B6)] // rw-rw-rw-
    [InlineData("022", (UnixFileMode)0x1A4)] // rw-r--r--
    [InlineData("077", OwnerOnly)]
    public async Task Download_Incomplete_IsReadableOnlyByItsOwner(string umask, UnixFileMode published)
    {
        TaskCompletionSource goOn = new(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ScriptedServer server = new(async request =>
        {
            if (request.RangeStart > 0)
            {
                await goOn.Task; // meanwhile, the first part is written to the disk
            }

            return request.RangeStart is null ? ScriptedAnswer.Error(404, "NoSuchKey") : ScriptedAnswer.Range(request, Content);
        });
        Dictionary<string, string> environment = new()
        {
            ["AWS_ENDPOINT_URL_S3"] = server.Url,
            ["AWS_ACCESS_KEY_ID"] = "transfer",
            ["AWS_SECRET_ACCESS_KEY"] = "transfer-secret",
        };
        using ToolProcess tool = ToolProcess.StartWithUmask(umask, environment, "cp", "--part-size", "64KiB", "s3://bucket/key", _folder.File("target"));

        await Deadline.Until(() => server.Requests.Any(request => request.RangeStart > 0) && Directory.EnumerateFiles(_folder.Path, "*", Everything).Any());
        string[] unfinished = Directory.GetFiles(_folder.Path, "*", Everything);
        UnixFileMode[] modes = [.. unfinished.Select(File.GetUnixFileMode)];
        goOn.SetResult();
        (await tool.EndAsync()).Expect(0);

        Assert.All(unfinished, path => Assert.NotEqual(_folder.File("target"), path));
        Assert.All(modes, mode => Assert.Equal(OwnerOnly, mode));
        Assert.Equal(published, File.GetUnixFileMode(_folder.File("target")));
        Assert.Equal(Content, await File.ReadAllBytesAsync(_folder.File("target")));
    }

    private static EnumerationOptions Everything => new() { AttributesToSkip = 0 };
}
