using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Telemetry;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cli;

public sealed class EventFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("", "b\n")]
    [InlineData("a\n", "a\nb\n")]
    [InlineData("a\n{\"half", "a\n{\"half\nb\n")] // the process that wrote it was killed
    public async Task OpenAsync_File_IsAppendedToFromANewLineOn(string before, string expected)
    {
        string path = _folder.File("events.jsonl");
        if (before.Length > 0)
        {
            await File.WriteAllTextAsync(path, before).Within();
        }

        await using (FileStream file = await OpenAsync(path).Within())
        {
            await file.WriteAsync("b\n"u8.ToArray()).Within();
            Assert.Equal(expected, await File.ReadAllTextAsync(path).Within()); // readers can follow
        }
    }

    [Fact]
    public async Task OpenAsync_FolderOrNoFolder_SaysSo()
    {
        Assert.Contains("can't be written: it is a folder; it accepts a file, or -", await RefusedAsync(_folder.Path), StringComparison.Ordinal);
        Assert.Contains("can't be written: there is no such folder", await RefusedAsync(_folder.File("no/such")), StringComparison.Ordinal);
        Assert.Contains("--events got '', which can't be written", await RefusedAsync(""), StringComparison.Ordinal);
    }

    /// <summary>Events contain keys and messages of the store, as journals do.</summary>
    [LinuxFact]
    public async Task OpenAsync_NewFile_BelongsToItsOwnerAlone()
    {
        string path = _folder.File("events");
        await using FileStream file = await OpenAsync(path).Within();

#pragma warning disable CA1416 // runs on Linux only
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
#pragma warning restore CA1416
    }

    [LinuxFact]
    public async Task OpenAsync_NamedPipeWithoutAReader_CanBeCanceled()
    {
        string path = _folder.File("pipe");
        await Fifo.CreateAsync(path);
        using CancellationTokenSource cancel = new();
        Task<FileStream> opening = EventFile.OpenAsync(new GivenValue("--events", path), cancel.Token);
        Assert.False(opening.IsCompleted);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening.Within());
        await using FileStream both = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite); // lets the thread that waits go, if it has begun to
    }

    private static Task<FileStream> OpenAsync(string path) => EventFile.OpenAsync(new GivenValue("--events", path), CancellationToken.None);

    private static async Task<string> RefusedAsync(string path) => (await Assert.ThrowsAsync<UsageException>(() => OpenAsync(path).Within())).Message;
}
