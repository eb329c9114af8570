using System.Net;
using System.Text;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>Responses that don't end where they should: earlier, later, or never.</summary>
public sealed class ResponseEndTests
{
    private const string Completed = "<?xml version=\"1.0\"?>\n<CompleteMultipartUploadResult><ETag>\"e\"</ETag></CompleteMultipartUploadResult>";
    private static readonly ObjectAddress Address = new(FakeHttp.Bucket, FakeHttp.Key);

    [Theory]
    [InlineData("<a/>", false)]
    [InlineData("<a></a>", true)]
    [InlineData("<a>\n</a >\r\n", true)]
    [InlineData("\uFEFF<?xml version=\"1.0\"?><!-- </b> --> <s:a xmlns:s=\"x\"><b></b></s:a>", true)]
    [InlineData("<a><b></b>", false)]
    [InlineData("<a><aa></aa>", false)]
    [InlineData("<DeleteResult><Error></Error>", false)]
    [InlineData("<a></a>more", false)]
    [InlineData("<a></a", false)]
    [InlineData("<?xml version=\"1.0\"", false)]
    [InlineData("</a>", false)]
    [InlineData("a</a>", false)]
    [InlineData("", false)]
    public void XmlEnd_IsAtTheEndTagOfTheRoot(string text, bool expected)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);

        Assert.Equal(expected, XmlEnd.IsAt(bytes, bytes));
    }

    /// <summary>A request that publishes an object is allowed to be silent for minutes, but not after its response was received.</summary>
    [Theory]
    [InlineData(TransferWire.Http, 0)]
    [InlineData(TransferWire.Http, 3000)]
    [InlineData(TransferWire.Sdk, 0)]
    [InlineData(TransferWire.Sdk, 3000)]
    public async Task DocumentIsComplete_NothingMoreIsWaitedFor(TransferWire wire, int spaces)
    {
        string document = Completed.Insert(Completed.IndexOf('\n', StringComparison.Ordinal), new string(' ', spaces));
        FakeHttp http = new(_ => Open(HttpStatusCode.OK, document));
        using FakeWires wires = new(http, wire);

        Assert.Equal("\"e\"", (await CompleteAsync(wires).Within()).ETag);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task ErrorIsComplete_NothingMoreIsWaitedFor(TransferWire wire)
    {
        FakeHttp http = new(_ => Open(HttpStatusCode.NotFound, "<Error><Code>NoSuchUpload</Code></Error>"));
        using FakeWires wires = new(http, wire);

        Assert.Equal("NoSuchUpload", (await Assert.ThrowsAsync<WireException>(() => CompleteAsync(wires).Within())).ErrorCode);
    }

    /// <summary>The memory for a document is limited, however long it is.</summary>
    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task DocumentHasNoEnd_FailsAtTheLimit(TransferWire wire)
    {
        OpenStream body = new([.. "<CompleteMultipartUploadResult><ETag>"u8, .. Enumerable.Repeat((byte)'a', 9 * 1024 * 1024)]);
        FakeHttp http = new(_ => Open(HttpStatusCode.OK, body));
        using FakeWires wires = new(http, wire);

        WireException e = await Assert.ThrowsAsync<WireException>(() => CompleteAsync(wires).Within());

        Assert.Contains("longer than", e.ToString(), StringComparison.Ordinal);
        Assert.False(body.IsWaiting.IsCompleted);
    }

    /// <summary>A response to another request doesn't say that something was written.</summary>
    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task WriteIsAnsweredByARange_ItsOutcomeIsUnknown(TransferWire wire)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.PartialContent, new byte[10], headers: [("ETag", "\"e\""), ("Content-Range", "bytes 0-9/10")]));
        using FakeWires wires = new(http, wire);
        NewObject target = new(Address, ChecksumAlgorithm.None, default, new ObjectHeaders());
        RequestBody body = new(new Transfer.S3.Buffers.SequenceBytes(new(new byte[10])), null);

        Func<Task>[] calls =
        [
            () => wires.For(FakeHttp.Bucket).PutObjectAsync(target, body, default),
            () => wires.For(FakeHttp.Bucket).UploadPartAsync(target, "u", 1, body, default),
            () => wires.For(FakeHttp.Bucket).DeleteObjectAsync(Address, null, default),
            () => wires.For(FakeHttp.Bucket).AbortMultipartUploadAsync(Address, "u", default),
            () => CompleteAsync(wires),
        ];
        foreach (Func<Task> call in calls)
        {
            WireException e = await Assert.ThrowsAsync<WireException>(() => call().Within());
            Assert.EachEqual((FailureKind.Transient, HttpStatusCode.PartialContent), (e.Kind, e.StatusCode));
        }
    }

    /// <summary>A proxy that answers in place of the store says nothing about the object, even with a status of success.</summary>
    [Theory]
    [InlineData(TransferWire.Http, 203)]
    [InlineData(TransferWire.Http, 299)]
    [InlineData(TransferWire.Sdk, 203)]
    [InlineData(TransferWire.Sdk, 299)]
    public async Task ReadIsAnsweredWithAnotherSuccess_ItIsNotThatOfAStore(TransferWire wire, int status)
    {
        FakeHttp http = new(_ => FakeHttp.Answer((HttpStatusCode)status, new byte[10], headers: [("ETag", "\"e\"")]));
        using FakeWires wires = new(http, wire);

        Func<Task>[] calls =
        [
            () => wires.For(FakeHttp.Bucket).HeadAsync(Address, default),
            () => wires.For(FakeHttp.Bucket).GetRangeAsync(Address, default, ReadCondition.None, false, default),
        ];
        foreach (Func<Task> call in calls)
        {
            WireException e = await Assert.ThrowsAsync<WireException>(() => call().Within());
            Assert.EachEqual((FailureKind.NotStore, (HttpStatusCode)status), (e.Kind, e.StatusCode));
        }
    }

    [Fact]
    public async Task ErrorHasNoEnd_ItsStatusCounts()
    {
        FakeTimeProvider time = new();
        OpenStream body = new("<Error><Code>NoSuch"u8.ToArray());
        FakeHttp http = new(_ => Open(HttpStatusCode.ServiceUnavailable, body));
        using FakeWires wires = new(http, TransferWire.Http, time);

        Task<PublishedObject> call = CompleteAsync(wires);
        await body.IsWaiting.Within();
        time.Advance(TimeSpan.FromSeconds(10));

        WireException e = await Assert.ThrowsAsync<WireException>(() => call.Within());
        Assert.EachEqual((FailureKind.Throttled, HttpStatusCode.ServiceUnavailable, null), (e.Kind, e.StatusCode, e.ErrorCode));
    }

    /// <summary>After this status, bytes of another protocol would follow without an end. Nobody asked for it.</summary>
    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task SwitchingProtocols_IsAnError(TransferWire wire)
    {
        FakeHttp http = new(_ => Open(HttpStatusCode.SwitchingProtocols, Completed[..20]));
        using FakeWires wires = new(http, wire);

        WireException e = await Assert.ThrowsAsync<WireException>(() => CompleteAsync(wires).Within());

        Assert.EachEqual((FailureKind.Transient, null), (e.Kind, e.StatusCode)); // it isn't known whether the store has carried out the request
        Assert.Contains("status 101 was not requested", e.Message, StringComparison.Ordinal);
    }

    /// <summary>Without a Content-Length, only the end of the body shows that it is the range and nothing else.</summary>
    [Theory]
    [InlineData(100, true)]
    [InlineData(101, false)]
    [InlineData(99, null)]
    public async Task ChunkedRange_MustHaveItsLength(int sent, bool? isRange)
    {
        FakeHttp http = new(_ =>
        {
            HttpResponseMessage response = new(HttpStatusCode.PartialContent) { Content = new StreamContent(new OpenStream(new byte[sent], ends: true)) };
            response.Headers.TransferEncodingChunked = true;
            response.Headers.TryAddWithoutValidation("ETag", "\"e\"");
            response.Content.Headers.TryAddWithoutValidation("Content-Range", "bytes 0-99/1000");
            return response;
        });
        using FakeWires wires = new(http, TransferWire.Http);
        using RangeResponse response = await wires.For(FakeHttp.Bucket).GetRangeAsync(Address, new RequestedRange(0, 100), ReadCondition.None, wantChecksum: false, default).Within();
        byte[] buffer = new byte[200];

        if (isRange == false)
        {
            WireException e = await Assert.ThrowsAsync<WireException>(() => response.Body.ReadAtLeastAsync(buffer, 200, throwOnEndOfStream: false).Within());
            Assert.Equal(FailureKind.Final, e.Kind); // the first bytes were delivered already
        }
        else
        {
            Assert.Equal(sent, await response.Body.ReadAtLeastAsync(buffer, 200, throwOnEndOfStream: false).Within());
        }
    }

    /// <summary>A body in chunks has no Content-Length, so one in the response isn't that of the object. A copy of that length would be too short.</summary>
    [Fact]
    public async Task HeadInChunks_LengthIsThatOfTheRange()
    {
        FakeHttp http = new(request => request.Method == HttpMethod.Head
            ? FakeHttp.Answer(HttpStatusCode.OK, headers: [("ETag", "\"e\""), ("Transfer-Encoding", "chunked"), ("Content-Length", "5")])
            : FakeHttp.Range(request, new byte[1000]));
        using FakeWires wires = new(http, TransferWire.Http);

        Assert.Equal(1000, (await wires.For(FakeHttp.Bucket).HeadAsync(Address, default).Within()).Info.Length);
    }

    private static Task<PublishedObject> CompleteAsync(FakeWires wires) => wires.For(FakeHttp.Bucket).CompleteMultipartUploadAsync(
        new NewObject(Address, ChecksumAlgorithm.None, default, new ObjectHeaders()), "u", [new UploadedPart(1, "\"e\"", null, default)], null, 10, default);

    private static HttpResponseMessage Open(HttpStatusCode status, string begin) => Open(status, new OpenStream(Encoding.UTF8.GetBytes(begin)));

    private static HttpResponseMessage Open(HttpStatusCode status, OpenStream body)
    {
        HttpResponseMessage response = new(status) { Content = new StreamContent(body) };
        response.Headers.TryAddWithoutValidation("x-amz-request-id", "R1");
        return response;
    }

    /// <summary>A body that sends its bytes, and then nothing, also no end.</summary>
    private sealed class OpenStream(byte[] begin, bool ends = false) : Stream
    {
        private readonly TaskCompletionSource _waiting = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _at;

        public Task IsWaiting => _waiting.Task;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            int count = Math.Min(buffer.Length, begin.Length - _at);
            if (count == 0 && !ends)
            {
                _waiting.TrySetResult();
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            }

            begin.AsMemory(_at, count).CopyTo(buffer);
            _at += count;
            return count;
        }

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        /// <summary>The SDK reads documents synchronously.</summary>
        public override int Read(byte[] buffer, int offset, int count)
        {
            int read = Math.Min(count, begin.Length - _at);
            if (read == 0 && !ends)
            {
                _waiting.TrySetResult();
                throw new IOException("The body was read beyond its end.");
            }

            begin.AsSpan(_at, read).CopyTo(buffer.AsSpan(offset));
            _at += read;
            return read;
        }

        public override void Flush() => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
