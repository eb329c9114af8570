using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Upload;

namespace Transfer.S3.Tests.Upload;

/// <summary>Files whose parts are read again for each attempt.</summary>
public sealed class RereadPartTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private const int Chunk = 64 * 1024;
    private const string Path = "/bucket/key";
    private readonly PartStore _store = new();
    private readonly byte[] _content = Sample.Bytes((2 * Part) + 1000);
    private readonly List<AmazonS3Client> _s3 = [];

    public static TheoryData<TransferWire, bool, long> WiresAndPlaces
        => Matrix.Of([TransferWire.Http, TransferWire.Sdk], [true, false], [1L, Chunk, 2 * Chunk, (3 * Chunk) + 1, Part]);

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        _s3.ForEach(s3 => s3.Dispose());
    }

    [Theory]
    [MemberData(nameof(WiresAndPlaces))]
    public async Task Connection_ClosedWithinABody_SendsTheSameBytesAgain(TransferWire wire, bool isTls, long at)
    {
        BreakFirst(at);

        UploadResult result = await UploadAsync(NewClient(wire, isTls)).Within();

        Assert.Equal(_content, _store.Published[Path]);
        Assert.EachEqual((3, 3), (result.Parts, result.Statistics.Retries));
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Auto)]
    [InlineData(ChecksumAlgorithm.Sha256)]
    public async Task SignedBody_SentAgain_HasTheHashOfItsBytes(ChecksumAlgorithm algorithm)
    {
        _store.Answer = (_, attempt, _) => attempt == 1 ? FakeHttp.Error(HttpStatusCode.ServiceUnavailable, "SlowDown") : null;

        await UploadAsync(NewClient(TransferWire.Http, isTls: false), new UploadOptions { Checksum = algorithm }).Within();

        Assert.Equal(6, _store.Received.Count);
        Assert.All(_store.Received, one => Assert.Equal(
            Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(PartOf(one.Part))), FakeHttp.Header(one.Request, "x-amz-content-sha256")));
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Part_IsBeingSent_IsNotInMemory(TransferWire wire)
    {
        TransferClient client = NewClient(wire, isTls: true);
        long held = long.MaxValue;
        _store.Reading = (part, _, read, _) =>
        {
            held = part == 1 && read > Part - Chunk ? Math.Min(held, client.Context.Pool.RentedBytes) : held;
            return Task.CompletedTask;
        };

        await UploadAsync(client, new UploadOptions { MaxConcurrency = 1 }).Within();

        Assert.InRange(held, 0, (PartBody.MostChunksPerReader + 2) * Chunk);
    }

    /// <summary>The last-write time is unchanged, so only the bytes show the change.</summary>
    [Theory]
    [InlineData(TransferWire.Http, true)]
    [InlineData(TransferWire.Http, false)]
    [InlineData(TransferWire.Sdk, true)]
    [InlineData(TransferWire.Sdk, false)]
    public async Task FileChanges_BeforeAPartIsSentAgain_FailsAndNothingIsPublished(TransferWire wire, bool isTls)
    {
        BreakFirst(Part / 2, part =>
        {
            if (part == 2)
            {
                DateTime lastWrite = File.GetLastWriteTimeUtc(Folder.File("source"));
                using (FileStream file = new(Folder.File("source"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
                {
                    file.Position = Part + 10;
                    file.WriteByte((byte)(_content[Part + 10] ^ 1));
                }

                File.SetLastWriteTimeUtc(Folder.File("source"), lastWrite);
            }
        });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(wire, isTls)).Within());

        Assert.Contains("source' changed while it was being uploaded", e.Message, StringComparison.Ordinal);
        Assert.EachEqual(("bucket", "key", 1), (e.Bucket, e.Key, _store.Aborts));
        Assert.Empty(_store.Published);
        Assert.DoesNotContain(_store.Received, received => received.Part == 2);
    }

    /// <summary>What was sent is the content that each part had when it was read, but maybe not all of it at the same time.</summary>
    [LinuxTheory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task FileIsRewrittenWithItsSizeAndTime_AfterItsPartsWereRead_NothingIsPublished(TransferWire wire)
    {
        _store.Reading = (part, _, read, _) =>
        {
            if (part == 3 && read >= 1000)
            {
                FileChange.Rewrite(Folder.File("source"), _content);
            }

            return Task.CompletedTask;
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(wire, isTls: true), new UploadOptions { MaxConcurrency = 1 }).Within());

        Assert.Contains("source' changed while it was being uploaded: its content or its attributes", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((0, 1), (_store.Published.Count, _store.Aborts));
    }

    [Fact]
    public async Task FileIsTruncated_BeforeAPartIsSentAgain_FailsAndNothingIsPublished()
    {
        BreakFirst(Part / 2, part =>
        {
            if (part == 2)
            {
                using FileStream file = new(Folder.File("source"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
                file.SetLength(Part + 100);
            }
        });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(TransferWire.Http, true)).Within());

        // Whichever comes first: the second part is read again, the third part is read, or the end is checked.
        Assert.Matches($"changed while it was being uploaded: it (ended after ({Part + 100}|{2 * Part}) of {_content.Length} bytes|had {_content.Length} bytes, and now has {Part + 100})", e.Message);
        Assert.EachEqual((0, 1), (_store.Published.Count, _store.Aborts));
    }

    /// <summary>Within one attempt, a request is sent again if the store requires another signature, for its region or for the body.</summary>
    [Theory]
    [InlineData("AuthorizationHeaderMalformed", "eu-west-1")]
    [InlineData("XAmzContentSHA256Mismatch", null)]
    public async Task StoreRequiresAnotherSignature_AfterTheBody_SendsTheSameBytesAgain(string code, string? region)
    {
        _store.Answer = (_, _, request) => region is null
            ? FakeHttp.Header(request, "x-amz-content-sha256") == "UNSIGNED-PAYLOAD" ? FakeHttp.Error(HttpStatusCode.BadRequest, code) : null
            : FakeHttp.Scope(request).Contains(region, StringComparison.Ordinal)
                ? null
                : FakeHttp.Answer(HttpStatusCode.BadRequest, $"<Error><Code>{code}</Code><Message>m</Message><Region>{region}</Region></Error>");

        UploadResult result = await UploadAsync(NewClient(TransferWire.Http, isTls: true), new UploadOptions { MaxConcurrency = 1 }).Within();

        Assert.Equal(_content, _store.Published[Path]);
        Assert.Equal(0, result.Statistics.Retries);
        Assert.Equal(4, _store.Received.Count); // the client remembers what the store requires
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task StoreRejectsChecksums_AfterTheBody_PartsUseTheNextAlgorithm(TransferWire wire)
    {
        _store.Answer = (_, _, request) => request.Content!.Headers.ContentMD5 is null ? FakeHttp.Error(HttpStatusCode.NotImplemented, "NotImplemented") : null;

        UploadResult result = await UploadAsync(NewClient(wire, isTls: true)).Within();

        Assert.Equal(_content, _store.Published[Path]);
        Assert.Equal(3, result.Parts);
        Assert.All(_store.Received.Where(one => one.Request.Content!.Headers.ContentMD5 is not null), one => Assert.Equal(Md5Of(one.Part), one.Request.Content!.Headers.ContentMD5));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Chunk)]
    [InlineData(2 * Chunk)]
    [InlineData(Part / 2)]
    public async Task Connection_StallsWithinABody_SecondRequestSendsTheSameBytes(int at)
    {
        Gate never = new();
        _store.Reading = (part, attempt, read, token) => part == 1 && read >= at && attempt == 1 ? never.PassAsync(token) : Task.CompletedTask;
        TransferClient client = NewClient(TransferWire.Http, isTls: true, hedges: true);

        Task<UploadResult> upload = UploadAsync(client, new UploadOptions { MaxConcurrency = 2 });
        await never.Reached;
        await Deadline.Until(() => client.Context.Queue.InFlight == 1);
        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(5));
        UploadResult result = await upload.Within();

        Assert.Equal(_content, _store.Published[Path]);
        Assert.EachEqual((0, 1), (result.Statistics.Retries, result.Statistics.HedgedRequests));
    }

    /// <summary>Each retried part needs memory while parts of other uploads wait for it.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task ManyUploads_MemoryForTwoParts_AllComplete(int concurrency)
    {
        BreakFirst(Part / 2);
        TransferClient client = NewClient(TransferWire.Http, isTls: true, configure: options =>
        {
            options.MemoryBytes = 2 * Part;
            options.MaxConcurrency = concurrency;
        });
        Folder.File("source", _content);

        await Task.WhenAll(Enumerable.Range(0, 8).Select(i => client.UploadAsync(Folder.File("source"), "bucket", $"{i}"))).Within();

        Assert.Equal(8, _store.Published.Count);
        Assert.All(_store.Published.Values, published => Assert.Equal(_content, published));
        Assert.InRange(client.Context.Pool.PeakRentedBytes, 0, 2 * Part);
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(1, Part / 2)]
    [InlineData(1, Part)]
    [InlineData(2, 0)]
    [InlineData(2, Chunk)]
    [InlineData(2, Part)]
    public async Task CallerCancels_WhileABodyIsSent_UploadIsAborted(int attempt, long at)
    {
        using CancellationTokenSource cancel = new();
        _store.Reading = (part, number, read, token) =>
        {
            if (number == attempt && read >= at)
            {
                cancel.Cancel();
            }

            token.ThrowIfCancellationRequested();
            return number == 1 && attempt > 1 && read >= Part / 2 ? throw new IOException("broken") : Task.CompletedTask;
        };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => UploadAsync(NewClient(TransferWire.Http, isTls: true), null, cancel.Token).Within());

        Assert.EachEqual((0, 1), (_store.Published.Count, _store.Aborts));
    }

    private ReadOnlySpan<byte> PartOf(int part) => _content.AsSpan((part - 1) * Part, Math.Min(Part, _content.Length - ((part - 1) * Part)));

#pragma warning disable CA5351 // stores require MD5
    private byte[] Md5Of(int part) => System.Security.Cryptography.MD5.HashData(PartOf(part));
#pragma warning restore CA5351

    /// <summary>Fails the first request for each part after the given number of bytes, or after all bytes.</summary>
    private void BreakFirst(long at, Action<int>? broken = null) => _store.Reading = (part, attempt, read, _) =>
    {
        if (attempt > 1 || read < Math.Min(at, part == 3 ? 1000 : Part))
        {
            return Task.CompletedTask;
        }

        broken?.Invoke(part);
        throw new IOException("The connection was closed.");
    };

    private Task<UploadResult> UploadAsync(TransferClient client, UploadOptions? options = null, CancellationToken cancellationToken = default)
        => client.UploadAsync(Folder.File("source", _content), "bucket", "key", options, cancellationToken: cancellationToken);

    private TransferClient NewClient(TransferWire wire, bool isTls, bool hedges = false, Action<TransferClientOptions>? configure = null)
    {
        AmazonS3Client s3 = _store.NewS3(isTls);
        _s3.Add(s3);
        TransferClient client = NewClient(s3, options =>
        {
            options.Advanced.Wire = wire;
            options.Advanced.ChunkSizeBytes = Chunk;
            options.HedgeRequests = hedges;
            configure?.Invoke(options);
        });
        Time.SkipDelaysBelow = hedges ? TimeSpan.Zero : Time.SkipDelaysBelow;
        return client;
    }
}
