using System.Collections.Concurrent;
using System.Diagnostics;
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text.Json;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Transfers;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>
/// Runs concurrent transfers of all kinds in little memory, on a server with faults, with callers that cancel, pause, prioritize, and limit them at random.
/// </summary>
internal sealed class Storm : IAsyncDisposable
{
    private const string Bucket = "storm";
    private const int Workers = 6;
    private const long MiB = 1 << 20;

    /// <summary>
    /// The maximum bytes of failed or canceled objects that are kept for the final check. A storm of half an hour would otherwise fill the machine.
    /// </summary>
    private const long MaxKept = 1024 * MiB;

    private readonly int _seed;
    private readonly EmbeddedS3Server _server;
    private readonly AmazonS3Client _s3;
    private readonly TemporaryFolder _folder = new();
    private readonly WarningLog _log = new();
    private readonly OwnHttpClients _sdkClients = new(null);
    private readonly TransferClient[] _clients;
    private readonly TransferClient _calm;
    private readonly ConcurrentDictionary<string, (StormObject Object, bool IsPublished)> _objects = new();
    private readonly ConcurrentQueue<StormObject> _kept = new();
    private long _keptBytes;
    private int _numbers;
    private int _transfers;
    private int _succeeded;
    private int _unverified;
    private int _lingered;
    private int _lookups;

    private Storm(int seed, EmbeddedS3Server server)
    {
        _seed = seed;
        _server = server;
        AmazonS3Config config = null!;
        _s3 = server.CreateClient(made => (config = made).MaxErrorRetry = 0);
        _clients =
        [
            NewClient(TransferWire.Http, 8 * MiB), NewClient(TransferWire.Http, 64 * MiB), NewClient(TransferWire.Sdk, 16 * MiB),
            NewClient(TransferWire.Http, 5 * MiB), NewClient(TransferWire.Http, null),
        ];
        _calm = NewClient(TransferWire.Http, 64 * MiB);
        config.HttpClientFactory = _sdkClients; // allows closing the connections of the SDK; the transfer clients already have their own
    }

    public static async Task<Storm> BeginAsync(int seed)
        => new(seed, await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], Md5ETags = false, Faults = Faults(seed) }));

    /// <summary>Runs transfers until the time has elapsed.</summary>
    public async Task RageAsync(TimeSpan duration)
    {
        long started = Stopwatch.GetTimestamp();
        Task RunAsync(int seed, Func<Random, Task> run) => Task.Run(async () =>
        {
            Random random = new(seed);
            while (Stopwatch.GetElapsedTime(started) < duration)
            {
                await run(random).WaitAsync(TimeSpan.FromMinutes(3));
            }
        });

        await Task.WhenAll(
        [
            .. Enumerable.Range(0, Workers).Select(worker => RunAsync((_seed * 1000) + worker, TransferAsync)),

            // One worker for each client opens streams that are idle while the others transfer.
            .. _clients.Select((client, number) => RunAsync((_seed * 1000) + Workers + number, random => LeaveStreamsIdleAsync(client, random))),
        ]);
        Assert.True(_lingered > 0, "no stream was idle");
        Assert.True(_succeeded > _transfers / 4 && _succeeded < _transfers, $"{_succeeded} of {_transfers} transfers succeeded, which is too few or too many for a storm");
        Assert.True(_lookups > 10, $"only {_lookups} lookups and listings succeeded");
        Assert.True(Meddler.Pauses > 0, "no transfer was paused");
        Assert.True(_unverified < Math.Max(5, _succeeded / 10), $"{_unverified} downloads were not verified");
        Assert.True(_server.Statistics.Faults.Count > 10, "too few kinds of faults occurred");
    }

    /// <summary>Opens a reader and a writer, uses each of them a little, and then leaves them idle for a while.</summary>
    private async Task LeaveStreamsIdleAsync(TransferClient client, Random random)
    {
        StormObject item = StormObject.Next(Interlocked.Increment(ref _numbers), random);
        _objects[item.Key] = (item, false);
        try
        {
            string? other = _objects.Values.FirstOrDefault(static one => one is { IsPublished: true, Object.Length: > 0 }).Object?.Key;
            await using ObjectReadStream? reader = other is null ? null : await client.OpenReadAsync(Bucket, other);
            await using ObjectWriteStream writer = await client.OpenWriteAsync(Bucket, item.Key);
            if (reader is not null)
            {
                _ = await reader.ReadAsync(new byte[random.Next(1, 1 << 18)]);
            }

            PatternSource source = new(item.Length, start: item.Start);
            byte[] some = new byte[random.Next(1, 6 << 20)];
            await writer.WriteAsync(some.AsMemory(0, source.Read(some)));
            await Task.Delay(random.Next(1_000)); // other transfers run meanwhile; their progress doesn't matter
            if (random.Next(2) == 0)
            {
                await source.CopyToAsync(writer);
                await writer.CompleteAsync();
                _objects[item.Key] = (item, true);
            }

            Interlocked.Increment(ref _lingered);
        }
        catch (TransferException)
        {
            // In a storm, a clear error is an accepted result.
        }

        await KeepAsync(item);
    }

    /// <summary>Stops the faults and checks the result: complete objects, all published ones, and nothing else.</summary>
    public async Task CalmAsync()
    {
        _server.SetFaults(null);
        foreach (TransferClient client in _clients)
        {
            await client.DisposeAsync().Within();
            Assert.True(client.RentedBytes == 0 && client.Context.Pool.Budget.ReservedBytes == 0, $"memory was not returned: {client.Context.Pool.DescribeRented()}");
        }

        await Deadline.Until(() => _server.Statistics.ActiveRequests == 0);
        foreach ((StormObject item, bool isPublished) in _objects.Values)
        {
            PatternSink sink = new(item.Start);
            try
            {
                DownloadResult result = await _calm.DownloadAsync(Bucket, item.Key, sink).Within();
                Assert.EachEqual((item.Length, item.Length, true), (result.Statistics.BytesTransferred, sink.Written, result.Verdict.IsVerified));
            }
            catch (TransferException e) when (e.ErrorCode == "NoSuchKey")
            {
                Assert.False(isPublished, $"{item.Key} is missing");
            }
        }

        await CheckUploadsAsync();
        CheckFiles();
        await _calm.DisposeAsync();
        _s3.Dispose();
        _sdkClients.Dispose();
        await Deadline.Until(() => _server.Statistics.OpenConnections == 0);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (TransferClient client in _clients)
        {
            await client.DisposeAsync();
        }

        await _calm.DisposeAsync();

        _s3.Dispose();
        _sdkClients.Dispose();
        await _server.DisposeAsync();
        _log.Dispose();
        _folder.Dispose();
    }

    private static FaultPlan Faults(int seed) => new()
    {
        Seed = seed,

        // These are rules, because a store that completes an upload may take ten minutes, which is too long for a storm.
        Rules =
        [
            .. from operation in (string[])["GetObject", "UploadPart", "PutObject"]
               from fault in (ServerFault[])[ServerFault.StallHeaders, .. operation == "GetObject" ? [ServerFault.StallBody] : Array.Empty<ServerFault>()]
               from often in Enumerable.Range(0, 100)
               select new FaultRule(fault) { Operation = operation, After = (often * 300) + seed },
        ],
        Probabilities = new Dictionary<ServerFault, double>
        {
            [ServerFault.SlowDown] = 0.01,
            [ServerFault.InternalError] = 0.01,
            [ServerFault.TooManyRequests] = 0.005,
            [ServerFault.ExpireToken] = 0.001,
            [ServerFault.RefuseConnection] = 0.01,
            [ServerFault.ResetBeforeHeaders] = 0.01,
            [ServerFault.ResetInBody] = 0.01,
            [ServerFault.TruncateBody] = 0.01,
            [ServerFault.FlipDownload] = 0.005,
            [ServerFault.FlipUpload] = 0.005,
            [ServerFault.WrongRange] = 0.002,
            [ServerFault.IgnoreRange] = 0.002,
            [ServerFault.ChangeETag] = 0.002,
            [ServerFault.ErrorInCompletion] = 0.01,
            [ServerFault.LoseReply] = 0.01,
        },
    };

    private TransferClient NewClient(TransferWire wire, long? memory) => new(_s3, new TransferClientOptions
    {
        Advanced = { Wire = wire, EnvironmentVariables = _ => null },
        MemoryBytes = memory,
        MaxConcurrency = 6,
        UploadPartSizeBytes = 5 * MiB,
        MultipartThresholdBytes = 5 * MiB,
        DownloadPartSizeBytes = MiB,
        StallTimeout = TimeSpan.FromSeconds(1),
        StateDirectory = _folder.File("state"),
        LoggerFactory = _log,
    });

    private async Task TransferAsync(Random random)
    {
        Interlocked.Increment(ref _transfers);
        TransferClient client = _clients[random.Next(_clients.Length)];
        StormObject item = StormObject.Next(Interlocked.Increment(ref _numbers), random);
        bool resumes = random.Next(2) == 0;
        Meddler meddler = new(random);
        using CancellationTokenSource cancel = random.Next(4) == 0 ? new(TimeSpan.FromMilliseconds(random.Next(200))) : new CancellationTokenSource();
        _objects[item.Key] = (item, false);
        try
        {
            await UploadAsync(client, item, random.Next(4), resumes, random, meddler, cancel.Token);
            _objects[item.Key] = (item, true);
            await LookUpAsync(client, item, cancel.Token);
            for (int downloads = random.Next(1, 4); downloads > 0; downloads--)
            {
                await DownloadAsync(client, item, random.Next(4), resumes, random, meddler, cancel.Token);
            }

            Interlocked.Increment(ref _succeeded);
            await DeleteAsync(item);
            return;
        }
        catch (TransferException)
        {
            // In a storm, a clear error is an accepted result.
        }
        catch (OperationCanceledException e)
        {
            Assert.True(cancel.IsCancellationRequested, $"the transfer was canceled, but not by its caller: {e}");
        }
        finally
        {
            await meddler.WhenDoneAsync();
        }

        await KeepAsync(item);
    }

    /// <summary>Requests without data don't wait for the parts of others.</summary>
    private async Task LookUpAsync(TransferClient client, StormObject item, CancellationToken cancellationToken)
    {
        Assert.Equal(item.Length, (await client.GetInfoAsync(Bucket, item.Key, cancellationToken: cancellationToken)).Length);
        await foreach (ListedObject listed in client.ListObjectsAsync(Bucket, item.Key, cancellationToken: cancellationToken))
        {
            Assert.StartsWith(item.Key, listed.Key, StringComparison.Ordinal);
        }

        Interlocked.Increment(ref _lookups);
    }

    /// <summary>Keeps the rest of an object for the final check, and discards the oldest ones if there are too many.</summary>
    private async Task KeepAsync(StormObject item)
    {
        _kept.Enqueue(item);
        Interlocked.Add(ref _keptBytes, item.Length);
        while (Interlocked.Read(ref _keptBytes) > MaxKept && _kept.TryDequeue(out StormObject? oldest))
        {
            Interlocked.Add(ref _keptBytes, -oldest.Length);
            await DeleteAsync(oldest);
        }
    }

    /// <summary>Deletes an object and its resume state. If a fault prevents this, the final check covers it, as it does unknown uploads.</summary>
    private async Task DeleteAsync(StormObject item)
    {
        _objects[item.Key] = (item, false);
        try
        {
            await _s3.DeleteObjectAsync(Bucket, item.Key);
            ListMultipartUploadsRequest open = new() { BucketName = Bucket, Prefix = item.Key };
            foreach (MultipartUpload upload in (await _s3.ListMultipartUploadsAsync(open)).MultipartUploads ?? [])
            {
                foreach (string journal in Journals().Where(journal => UploadIdsOf(journal).Contains(upload.UploadId)))
                {
                    await _s3.AbortMultipartUploadAsync(Bucket, upload.Key, upload.UploadId);
                    File.Delete(journal);
                }
            }

            _objects.TryRemove(item.Key, out _);
        }
        catch (Exception e) when (e is AmazonServiceException or AmazonClientException or HttpRequestException or IOException or SocketException)
        {
            // Exceptions of the SDK itself are not tested. A closed connection can cause any of them.
        }

        foreach (string unfinished in Directory.EnumerateFiles(_folder.Path, $".{item.Key}.*", new EnumerationOptions { AttributesToSkip = 0 }))
        {
            File.Delete(unfinished);
        }
    }

    private async Task UploadAsync(TransferClient client, StormObject item, int form, bool resumes, Random random, Meddler meddler, CancellationToken cancellationToken)
    {
        UploadOptions Options() => new() { Resume = resumes, Handle = meddler.NewHandle() };
        UploadResult result;
        switch (form)
        {
            case 0:
                string path = _folder.File($"{item.Key}.source");
                await using (FileStream file = File.Create(path))
                {
                    await new PatternSource(item.Length, start: item.Start).CopyToAsync(file, CancellationToken.None);
                }

                try
                {
                    result = await RepeatAsync(() => client.UploadAsync(path, Bucket, item.Key, Options(), cancellationToken: cancellationToken), resumes, cancellationToken);
                }
                finally
                {
                    File.Delete(path);
                }

                break;
            case 1:
                result = await client.UploadAsync(new PatternSource(item.Length, start: item.Start), Bucket, item.Key, Options(), cancellationToken: cancellationToken);
                break;
            case 2:
                PipeReader pipe = PipeReader.Create(new PatternSource(item.Length, start: item.Start));
                result = await client.UploadAsync(pipe, Bucket, item.Key, Options(), cancellationToken: cancellationToken);
                await pipe.CompleteAsync();
                break;
            default:
                await using (ObjectWriteStream stream = await client.OpenWriteAsync(Bucket, item.Key, Options(), cancellationToken))
                {
                    await new PatternSource(item.Length, start: item.Start).CopyToAsync(stream, random.Next(1, 1 << 18), cancellationToken);
                    result = await stream.CompleteAsync(cancellationToken);
                }

                break;
        }

        Assert.Equal(item.Length, result.Statistics.BytesTransferred);
    }

    private async Task DownloadAsync(TransferClient client, StormObject item, int form, bool resumes, Random random, Meddler meddler, CancellationToken cancellationToken)
    {
        ObjectHint? hint = random.Next(2) == 0 ? new ObjectHint { Length = item.Length } : null;
        DownloadOptions Options() => new() { Resume = resumes, Hint = hint, Handle = meddler.NewHandle() };
        PatternSink sink = new(item.Start) { OnlyNotes = true };
        bool isVerified;
        switch (form)
        {
            case 0:
                string path = _folder.File(item.Key);
                isVerified = (await RepeatAsync(() => client.DownloadAsync(Bucket, item.Key, path, Options(), cancellationToken: cancellationToken), resumes, cancellationToken)).Verdict.IsVerified;
                await using (FileStream written = File.OpenRead(path))
                {
                    await written.CopyToAsync(sink, CancellationToken.None);
                }

                File.Delete(path);
                break;
            case 1:
                isVerified = (await client.DownloadAsync(Bucket, item.Key, sink, Options(), cancellationToken: cancellationToken)).Verdict.IsVerified;
                break;
            case 2:
                await using (SeekableObjectStream stream = await client.OpenSeekableAsync(Bucket, item.Key, new SeekableReadOptions { Hint = hint }, cancellationToken))
                {
                    _ = await stream.ReadAtAsync(new byte[random.Next(1, 1 << 16)], random.NextInt64(item.Length + 1), cancellationToken);
                    await stream.CopyToAsync(sink, random.Next(1, 1 << 18), cancellationToken);
                    isVerified = stream.Verdict.IsVerified;
                }

                break;
            default:
                await using (ObjectReadStream stream = await client.OpenReadAsync(Bucket, item.Key, Options(), cancellationToken))
                {
                    await stream.CopyToAsync(sink, random.Next(1, 1 << 18), cancellationToken);
                    isVerified = stream.Verdict!.IsVerified;
                }

                break;
        }

        // If a store returns no checksum, a flipped bit is not detected, but the verdict is then unverified.
        Assert.Equal(item.Length, sink.Written);
        Assert.True(sink.IsRight || !isVerified, $"{item.Key}: wrong bytes are verified");
        Interlocked.Add(ref _unverified, isVerified ? 0 : 1);
    }

    /// <summary>Repeats a resumable transfer until it completes, is canceled, or has failed five times.</summary>
    private static async Task<T> RepeatAsync<T>(Func<Task<T>> transfer, bool resumes, CancellationToken cancellationToken)
    {
        for (int run = 1; ; run++)
        {
            try
            {
                return await transfer();
            }
            catch (TransferException) when (resumes && run < 5 && !cancellationToken.IsCancellationRequested)
            {
                // The next call resumes the transfer.
            }
        }
    }

    /// <summary>Asserts that each open upload is in a journal or in a warning, or has no parts because its ID was never received.</summary>
    private async Task CheckUploadsAsync()
    {
        HashSet<string> kept = [.. Journals().SelectMany(UploadIdsOf)];
        foreach (MultipartUpload upload in (await _s3.ListMultipartUploadsAsync(Bucket)).MultipartUploads ?? [])
        {
            if (!kept.Contains(upload.UploadId) && !_log.Warnings.Any(warning => warning.Contains(upload.UploadId, StringComparison.Ordinal)))
            {
                ListPartsResponse parts = await _s3.ListPartsAsync(Bucket, upload.Key, upload.UploadId);
                Assert.True(parts.Parts is null or { Count: 0 }, $"the upload of {upload.Key} is open with {parts.Parts?.Count} parts, and neither a journal nor a warning contains it");
            }
        }
    }

    private string[] Journals() => Directory.Exists(_folder.File("state")) ? Directory.GetFiles(_folder.File("state")) : [];

    private static IReadOnlyList<string> UploadIdsOf(string journal)
    {
        try
        {
            return [.. File.ReadLines(journal).Where(line => line.Length > 9).Select(UploadIdOf).OfType<string>()];
        }
        catch (Exception e) when (e is IOException or JsonException)
        {
            return []; // deleted, locked, or being written by a running transfer
        }
    }

    private static string? UploadIdOf(string line)
        => JsonDocument.Parse(line[9..]).RootElement.TryGetProperty("upload_id", out JsonElement id) ? id.GetString() : null;

    /// <summary>Asserts that only resume state is left, and that no file is open.</summary>
    private void CheckFiles()
    {
        string[] files = [.. Directory.EnumerateFiles(_folder.Path, "*", new EnumerationOptions { AttributesToSkip = 0 }).Select(file => Path.GetFileName(file)!)];
        string[] journals = [.. files.Where(file => file.EndsWith(".transfer-journal", StringComparison.Ordinal))];
        string[] unfinished = [.. files.Where(file => file.EndsWith(".transfer", StringComparison.Ordinal))];
        Assert.Equal(journals.Select(Path.GetFileNameWithoutExtension).Order(), unfinished.Select(Path.GetFileNameWithoutExtension).Order());
        Assert.Equal(files.Length, journals.Length + unfinished.Length);
        if (OperatingSystem.IsLinux())
        {
            Assert.DoesNotContain(
                Directory.EnumerateFiles("/proc/self/fd").Select(file => new FileInfo(file).LinkTarget ?? string.Empty),
                target => target.StartsWith(_folder.Path, StringComparison.Ordinal));
        }
    }
}
