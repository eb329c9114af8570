using System.Buffers;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.IntegrationTests.Wire;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Cancels over real connections: at each request in turn, and while a server doesn't respond.</summary>
public sealed class CancellationTests : IDisposable
{
    private const int MoreRequestsThanAnyOperationSends = 50;
    private const int UploadPart = 5 * 1024 * 1024;
    private static readonly byte[] Content = Sample.Bytes((2 * UploadPart) + 5);

    /// <summary>Disables resuming, because state for a later transfer is left on purpose. Other tests cover it.</summary>
    private static readonly DownloadOptions AllOrNothing = new() { Resume = false };

    private static readonly Dictionary<string, Func<TransferClient, string, CancellationToken, Task>> Operations = new()
    {
        ["read"] = static async (client, _, token) =>
        {
            await using ObjectReadStream stream = await client.OpenReadAsync("bucket", "tree/large", cancellationToken: token);
            await stream.CopyToAsync(Stream.Null, token);
        },
        ["download"] = static (client, folder, token) => client.DownloadAsync("bucket", "tree/large", Path.Combine(folder, "targets/file"), AllOrNothing, cancellationToken: token),
        ["upload"] = static (client, _, token) => client.UploadAsync(new ReadOnlySequence<byte>(Content), "bucket", "new", cancellationToken: token),
        ["upload small"] = static (client, _, token) => client.UploadAsync(new ReadOnlySequence<byte>(Content, 0, 1000), "bucket", "new", cancellationToken: token),
        ["write"] = static async (client, _, token) =>
        {
            await using ObjectWriteStream stream = await client.OpenWriteAsync("bucket", "new", cancellationToken: token);
            await stream.WriteAsync(Content, token);
            await stream.CompleteAsync(token);
        },
        ["copy"] = static (client, _, token) => client.CopyAsync(
            new("bucket", "tree/large"), new("bucket", "new"), new CopyOptions { PartSizeBytes = UploadPart, MultipartThresholdBytes = UploadPart, Resume = false }, cancellationToken: token),
        ["verify"] = static (client, folder, token) => client.VerifyAsync(Path.Combine(folder, "sources/large"), "bucket", "tree/large", cancellationToken: token),
        ["abort uploads"] = static (client, _, token) => client.AbortUploadsAsync("bucket", "open", cancellationToken: token),
        ["download directory"] = static (client, folder, token) => client.DownloadDirectoryAsync("bucket", "tree/", Path.Combine(folder, "targets"), new DirectoryOptions { Download = AllOrNothing }, cancellationToken: token),
        ["upload directory"] = static (client, folder, token) => client.UploadDirectoryAsync(
            Path.Combine(folder, "sources"), "bucket", "new/", new DirectoryOptions { Upload = new UploadOptions { Resume = false } }, cancellationToken: token),
    };

    private readonly string _folder = Directory.CreateTempSubdirectory("transfer-test-").FullName;

    public CancellationTests()
    {
        Directory.CreateDirectory(Path.Combine(_folder, "sources"));
        Directory.CreateDirectory(Path.Combine(_folder, "targets"));
        File.WriteAllBytes(Path.Combine(_folder, "sources/large"), Content);
        File.WriteAllBytes(Path.Combine(_folder, "sources/small"), Content[..1000]);
    }

    public static TheoryData<string, TransferWire> All
    {
        get
        {
            TheoryData<string, TransferWire> data = [];
            foreach (string operation in Operations.Keys)
            {
                data.Add(operation, TransferWire.Http);
                data.Add(operation, TransferWire.Sdk);
            }

            return data;
        }
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(All))]
    public async Task Operation_CanceledAtAnyRequest_EndsAndLeavesNothing(string operation, TransferWire wire)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = NewClient(store.S3, wire);
        await client.UploadAsync(new ReadOnlySequence<byte>(Content), store.Bucket, "tree/large").Within();
        await client.UploadAsync(new ReadOnlySequence<byte>(Content, 0, 1000), store.Bucket, "tree/small").Within();
        bool isHindered = true;
        for (int at = 1; isHindered; at++)
        {
            Assert.InRange(at, 1, MoreRequestsThanAnyOperationSends);
            using CancellationTokenSource caller = new();
            int requests = 0;
            store.Answer = _ =>
            {
                if (Interlocked.Increment(ref requests) == at)
                {
                    caller.Cancel();
                }

                return null;
            };

            await RunAsync(Operations[operation](client, _folder, caller.Token), caller.Token);

            store.Answer = null;
            isHindered = caller.IsCancellationRequested;
            await Deadline.Until(() => store.Server.Statistics.ActiveRequests == 0);
            CheckNothingIsLeft(client, $"{operation} at request {at}");
            Assert.Equal(0, store.Server.Statistics.OpenMultipartUploads);
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task Operation_CanceledWhileTheServerDoesNotRespond_Ends(string operation, TransferWire wire)
    {
        TaskCompletionSource<ScriptedAnswer> over = new(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ScriptedServer server = new(
            request => request.Method == "POST" ? Task.FromResult(ScriptedAnswer.Error(403, "AccessDenied")) : over.Task); // CreateMultipartUpload is awaited even after cancellation
        using AmazonS3Client s3 = WireTest.S3(server.Url);
        await using TransferClient client = NewClient(s3, wire);
        using CancellationTokenSource caller = new();

        Task running = Operations[operation](client, _folder, caller.Token);
        await Deadline.Until(() => server.Requests.Count > 0);
        await Task.WhenAll(Task.Run(caller.Cancel), Task.Run(caller.Cancel)).Within();
        await RunAsync(running, caller.Token, orRefused: true);

        over.SetResult(ScriptedAnswer.Error(500, "InternalError"));
        CheckNothingIsLeft(client, operation);
    }

    [Fact]
    public async Task Listing_CanceledWithinAPage_Ends()
    {
        const string start = "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key>";
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of($"HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Length: 5000", System.Text.Encoding.ASCII.GetBytes(start)));
        using AmazonS3Client s3 = WireTest.S3(server.Url);
        await using TransferClient client = NewClient(s3, TransferWire.Http);
        using CancellationTokenSource caller = new();

        Task running = Operations["download directory"](client, _folder, caller.Token);
        await Deadline.Until(() => server.Requests.Count > 0);
        await caller.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running.Within());
        Assert.Equal(caller.Token, e.CancellationToken);
    }

    private static TransferClient NewClient(AmazonS3Client s3, TransferWire wire) => new(s3, new TransferClientOptions
    {
        Advanced = { Wire = wire },
        DownloadPartSizeBytes = UploadPart,
        UploadPartSizeBytes = UploadPart,
        MultipartThresholdBytes = UploadPart,
    });

    /// <summary>Waits for the operation, which must succeed or be canceled with the caller's own token.</summary>
    private static async Task RunAsync(Task running, CancellationToken token, bool orRefused = false)
    {
        try
        {
            await running.Within();
        }
        catch (OperationCanceledException e)
        {
            Assert.Equal(token, e.CancellationToken);
            Assert.True(token.IsCancellationRequested);
        }
        catch (TransferException e) when (orRefused)
        {
            Assert.Equal("AccessDenied", e.ErrorCode);
        }
    }

    private void CheckNothingIsLeft(TransferClient client, string where)
    {
        Assert.True(client.RentedBytes == 0 && client.Context.Pool.Budget.ReservedBytes == 0, $"{where}: {client.Context.Pool.DescribeRented()}");
        Assert.True(client.Context.Requests.IsIdle, where);
        Assert.DoesNotContain(
            Directory.EnumerateFiles(Path.Combine(_folder, "targets"), "*", new EnumerationOptions { AttributesToSkip = 0, RecurseSubdirectories = true }),
            file => Path.GetFileName(file).StartsWith('.'));
    }
}
