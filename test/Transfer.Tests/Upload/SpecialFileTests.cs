using System.IO.Pipes;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>Paths that are not regular files: named pipes, devices, and files that the system generates while they are read.</summary>
public sealed class SpecialFileTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    private string PipePath => Folder.File("pipe");

    [LinuxFact]
    public async Task NamedPipe_WriterWaitsFirst_EverythingArrives()
    {
        await Fifo.CreateAsync(PipePath);
        foreach (int size in (int[])[0, 1, 300_000, (2 * Part) + 5])
        {
            byte[] content = Sample.Bytes(size, size);
            Task writing = Fifo.WriteAsync(PipePath, content);

            UploadResult result = await UploadAsync(PipePath).Within();

            await writing.Within();
            Assert.Equal(content, S3.Published());
            Assert.Equal(size, result.Statistics.BytesTransferred);
        }
    }

    [LinuxFact]
    public async Task NamedPipe_WriterOpensLater_EverythingArrives()
    {
        await Fifo.CreateAsync(PipePath);
        byte[] content = Sample.Bytes(Part + 5);
        Task<UploadResult> upload = UploadAsync(PipePath);

        await Fifo.WriteAsync(PipePath, content).Within();

        await upload.Within();
        Assert.Equal(content, S3.Published());
    }

    [LinuxFact]
    public async Task NamedPipe_NoWriter_CancellationEndsTheUpload()
    {
        await Fifo.CreateAsync(PipePath);
        using CancellationTokenSource cancel = new();
        Task<UploadResult> upload = UploadAsync(PipePath, cancellationToken: cancel.Token);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => upload.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        Assert.Empty(S3.Calls);
    }

    [LinuxFact]
    public async Task NamedPipe_WriterStalls_CancellationAbortsTheUploadAndClosesThePipe()
    {
        await Fifo.CreateAsync(PipePath);
        using CancellationTokenSource cancel = new();
        Task<UploadResult> upload = UploadAsync(PipePath, cancellationToken: cancel.Token);
        await using FileStream writer = await Fifo.OpenWriterAsync(PipePath).Within();
        await writer.WriteAsync(new byte[(2 * Part) + 5]).Within();
        await Deadline.Until(() => S3.GetCount(S3Call.UploadPart) == 2);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => upload.Within());
        Assert.Equal(1, S3.GetCount(S3Call.Abort));
        Assert.False(S3.HasOpenUpload);
        await Assert.ThrowsAsync<IOException>(() => writer.WriteAsync(new byte[1]).Within()); // the pipe has no reader any more
    }

    [LinuxFact]
    public async Task NamedPipe_AfterACanceledUpload_TheNextUploadGetsEverything()
    {
        await Fifo.CreateAsync(PipePath);
        TransferClient client = NewClient();
        for (int i = 0; i < 3; i++)
        {
            using CancellationTokenSource cancel = new();
            Task<UploadResult> canceled = UploadAsync(PipePath, client, cancel.Token);
            await cancel.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => canceled.Within());
        }

        byte[] content = Sample.Bytes(1_000_000);
        Task writing = Fifo.WriteAsync(PipePath, content);
        await UploadAsync(PipePath, client).Within();

        await writing.Within();
        Assert.Equal(content, S3.Published());
    }

    [LinuxFact]
    public async Task NamedPipe_StoreFails_ClosesThePipe()
    {
        await Fifo.CreateAsync(PipePath);
        S3.Before = (call, _) => call.Part == 1 ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        Task writing = Fifo.WriteAsync(PipePath, new byte[20 * Part]);

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(PipePath).Within());

        Assert.Equal("AccessDenied", error.ErrorCode);
        await Assert.ThrowsAsync<IOException>(() => writing.Within());
    }

    [LinuxFact]
    public async Task NamedPipe_InATree_IsNotOpened()
    {
        await Fifo.CreateAsync(PipePath);
        Folder.File("file", [1]);
        foreach (SymbolicLinks links in Enum.GetValues<SymbolicLinks>())
        {
            Task writing = Fifo.WriteAsync(PipePath, [7, 8, 9]);
            await Deadline.Until(() => IsInOpenOfPipe());

            DirectoryResult result = await NewClient().UploadDirectoryAsync(
                Folder.Path, FakeS3.Bucket, "p", new DirectoryOptions { OnFailure = FailurePolicy.Continue, SymbolicLinks = links }).Within();

            Assert.Equal("pipe", Assert.Single(result.Failures).Name);

            // A process that waits for the other end of the pipe still waits, and then continues.
            Task<byte[]> reading = Task.Factory.StartNew(() => File.ReadAllBytes(PipePath), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            await writing.Within();
            Assert.Equal([7, 8, 9], await reading.Within());
        }
    }

    [LinuxFact]
    public async Task AnonymousPipe_ByItsDescriptor_EverythingArrives()
    {
        byte[] content = Sample.Bytes(Part + 5);
        using AnonymousPipeServerStream writer = new(PipeDirection.Out);
        Task<UploadResult> upload = UploadAsync($"/proc/self/fd/{writer.ClientSafePipeHandle.DangerousGetHandle()}");

        await writer.WriteAsync(content).AsTask().Within();
        writer.DisposeLocalCopyOfClientHandle();
        writer.Dispose();

        await upload.Within();
        Assert.Equal(content, S3.Published());
    }

    [LinuxFact]
    public async Task Device_Empty_IsAnEmptyObject()
    {
        await UploadAsync("/dev/null").Within();

        Assert.Empty(S3.Published()!);
    }

    [LinuxFact]
    public async Task Device_Endless_CancellationAbortsTheUpload()
    {
        using CancellationTokenSource cancel = new();
        Task<UploadResult> upload = UploadAsync("/dev/zero", cancellationToken: cancel.Token);
        await Deadline.Until(() => S3.GetCount(S3Call.UploadPart) > 2);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => upload.Within());
        Assert.False(S3.HasOpenUpload);
    }

    [LinuxFact]
    public async Task GeneratedFile_IsReadToItsEnd()
    {
        foreach (string path in Generated())
        {
            byte[] expected = ReadToEnd(path);

            UploadResult result = await UploadAsync(path).Within();

            Assert.Equal(expected, S3.Published());
            Assert.Equal(expected.Length, result.Statistics.BytesTransferred);
        }
    }

    [LinuxFact]
    public async Task GeneratedFile_InATree_IsReadToItsEnd()
    {
        long bytes = 0;
        string[] paths = [.. Generated()];
        for (int i = 0; i < paths.Length; i++)
        {
            File.CreateSymbolicLink(Folder.File($"link{i}"), paths[i]);
            bytes += ReadToEnd(paths[i]).Length;
        }

        DirectoryResult result = await NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p").Within();

        Assert.EachEqual((paths.Length, bytes), (result.Counts.Copied, result.Counts.Bytes));
        for (int i = 0; i < paths.Length; i++)
        {
            Assert.Equal(ReadToEnd(paths[i]), S3.Published($"p/link{i}"));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4095)]
    [InlineData(4096)]
    [InlineData(65536)]
    public async Task RegularFile_WithALengthOfGeneratedFiles_IsAFile(int length)
    {
        byte[] content = Sample.Bytes(length);
        Folder.File("file", content);
        using (FileStream sparse = new(Folder.File("sparse"), FileMode.Create))
        {
            sparse.SetLength(length);
        }

        UploadOptions options = new() { KeepLastModified = true }; // only a file has a last-write time
        await NewClient().UploadAsync(Folder.File("file"), FakeS3.Bucket, "file", options).Within();
        await NewClient().UploadAsync(Folder.File("sparse"), FakeS3.Bucket, "sparse", options).Within();

        Assert.Equal(content, S3.Published("file"));
        Assert.Equal(new byte[length], S3.Published("sparse"));
        Assert.All(S3.Calls, call => Assert.NotNull(((PutObjectRequest)call.Request!).Metadata["mtime"]));
    }

    private static IEnumerable<string> Generated()
        => ((string[])["/proc/version", "/proc/filesystems", "/proc/self/cmdline", "/sys/devices/system/cpu/possible", "/sys/kernel/notes"]).Where(File.Exists);

    // File.ReadAllBytes relies on the length, which is wrong for such files.
    private static byte[] ReadToEnd(string path)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1 << 20);
        using MemoryStream content = new();
        file.CopyTo(content);
        return content.ToArray();
    }

    /// <summary>Returns whether a thread of this process waits in open() of a pipe, or the system doesn't report what threads wait for.</summary>
    private static bool IsInOpenOfPipe()
    {
        string[] waits = [.. Directory.GetDirectories("/proc/self/task").Select(WaitOf)];
        return waits.Contains("wait_for_partner") || waits.All(static wait => wait is "" or "0");

        static string WaitOf(string thread)
        {
            try
            {
                return File.ReadAllText(Path.Combine(thread, "wchan"));
            }
            catch (IOException)
            {
                return string.Empty; // the thread has ended meanwhile
            }
        }
    }

    // Run on a dedicated thread, because the call itself may block.
    private Task<UploadResult> UploadAsync(string path, TransferClient? client = null, CancellationToken cancellationToken = default)
    {
        TransferClient own = client ?? NewClient();
        return Task.Factory.StartNew(
            () => own.UploadAsync(path, FakeS3.Bucket, FakeS3.Key, cancellationToken: cancellationToken), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap();
    }
}
