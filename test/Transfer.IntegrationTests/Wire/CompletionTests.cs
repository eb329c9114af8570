using System.Text;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Publishing whose result is unknown from the response. It is determined from the object, and never assumed.</summary>
[LongRunning]
public sealed class CompletionTests : UploadTest
{
    private static readonly UploadOptions OnlyIfAbsent = new() { Overwrite = false };

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Complete_TransientErrorInA200_IsRetried(TransferWire wire)
    {
        int answers = 0;
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) && answers++ == 0 ? ErrorIn200("InternalError") : null };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large, wire: wire, attempts: 2);

        Assert.Equal(Large, store.Content);
        Assert.True(result.Verdict.IsVerified);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Complete_PermanentErrorInA200_FailsAndAborts(TransferWire wire)
    {
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) ? ErrorIn200("InvalidPart") : null };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large, wire: wire));

        Assert.Equal("InvalidPart", e.ErrorCode);
        Assert.Null(store.Content);
        Assert.False(store.HasOpenUpload);
    }

    [Fact]
    public async Task Complete_WhitespaceBeforeTheResponse_IsIgnored()
    {
        TinyStore store = new()
        {
            Afterwards = (request, answer) => TinyStore.IsComplete(request)
                ? Chunked("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", [.. Encoding.ASCII.GetBytes(new string(' ', 3000) + "\r\n"), .. BodyOf(answer)])
                : answer,
        };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large);

        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(3, result.Parts);
    }

    [Fact]
    public async Task Complete_ErrorAfterWhitespace_IsAnError()
    {
        byte[] body = Encoding.ASCII.GetBytes(new string(' ', 3000) + "<Error><Code>InvalidPart</Code><Message>no</Message></Error>");
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) ? Chunked("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", body) : null };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large));

        Assert.Equal("InvalidPart", e.ErrorCode);
        Assert.False(store.HasOpenUpload);
    }

    [Theory]
    [InlineData(TransferWire.Http, 1)]
    [InlineData(TransferWire.Http, 3)]
    [InlineData(TransferWire.Sdk, 1)]
    [InlineData(TransferWire.Sdk, 3)]
    public async Task Complete_ResponseIsLost_IsConfirmedByTheObject(TransferWire wire, int attempts)
    {
        // The next attempt gets the error that there is no such upload, because it was completed.
        bool lost = false;
        TinyStore store = new() { Afterwards = (request, answer) => TinyStore.IsComplete(request) && !lost && (lost = true) ? NoResponse() : answer };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large, wire: wire, attempts: attempts);

        Assert.Equal(Large, store.Content);
        Assert.True(result.Verdict.IsVerified);

        // Unless the store has reported that the upload is gone, it may still exist.
        Assert.Equal(attempts == 1 && wire == TransferWire.Http ? 1 : 0, server.Requests.Count(request => request.Method == "DELETE"));
    }

    [Fact]
    public async Task Complete_ResponseIsLostAndTheRetryFailsItsCondition_IsConfirmedByTheObject()
    {
        bool lost = false;
        TinyStore store = new();
        store.Instead = request => TinyStore.IsComplete(request) && lost ? ScriptedAnswer.Error(412, "PreconditionFailed") : null;
        store.Afterwards = (request, answer) => TinyStore.IsComplete(request) && !lost && (lost = true) ? NoResponse() : answer;
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large, OnlyIfAbsent, attempts: 2);

        Assert.True(result.Verdict.IsVerified);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Complete_ConditionFailsForAnotherObject_Throws(TransferWire wire)
    {
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) ? ScriptedAnswer.Error(412, "PreconditionFailed") : null };
        await using ScriptedServer server = new(store.Answer);

        await Assert.ThrowsAnyAsync<TransferException>(() => UploadAsync(server, Large, OnlyIfAbsent, wire));

        Assert.Equal(["HEAD", "POST", "DELETE"], server.Requests.Select(request => request.Method).TakeLast(3)); // a HEAD checks for the object before; nothing needs to be determined afterward
        Assert.False(store.HasOpenUpload);
    }

    /// <summary>If the object has no checksum, its ETag is compared, which stores compute from the ETags of the parts.</summary>
    [Theory]
    [InlineData(TransferWire.Http, 1)]
    [InlineData(TransferWire.Http, 3)]
    [InlineData(TransferWire.Sdk, 3)]
    public async Task Complete_ResponseIsLostAndThereIsNoChecksum_IsConfirmedByTheETag(TransferWire wire, int attempts)
    {
        bool lost = false;
        TinyStore store = new() { Afterwards = (request, answer) => TinyStore.IsComplete(request) && !lost && (lost = true) ? NoResponse() : answer };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large, new UploadOptions { Checksum = ChecksumAlgorithm.None }, wire, attempts);

        Assert.Equal(Large, store.Content);
        Assert.EachEqual((3, false), (result.Parts, result.Verdict.IsVerified));
    }

    /// <summary>The clocks differ by a day in either direction. Only the clock of the store matters.</summary>
    [Theory]
    [InlineData(-24)]
    [InlineData(24)]
    public async Task ResponseIsLostAndAnOlderObjectHasTheSameBytes_UsesTheClockOfTheStoreAndThrows(int hoursAhead)
    {
        DateTimeOffset now = DateTimeOffset.UtcNow.AddHours(hoursAhead);
        foreach (byte[] content in (byte[][])[Small, Large])
        {
            TinyStore store = new() { Now = () => now };
            await using ScriptedServer server = new(store.Answer);
            await UploadAsync(server, content);
            now = now.AddMinutes(1);
            store.Instead = request => TinyStore.IsComplete(request) || (request.Method == "PUT" && !TinyStore.IsPart(request)) ? NoResponse() : null;

            await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, content, attempts: 2));
            Assert.False(store.HasOpenUpload);

            // An object that is published now is recognized.
            bool lost = false;
            (store.Instead, store.Afterwards) = (_ => null, (request, answer) => (TinyStore.IsComplete(request) || (request.Method == "PUT" && !TinyStore.IsPart(request))) && (lost = true) ? NoResponse() : answer);
            Assert.True((await UploadAsync(server, content, attempts: 2)).Verdict.IsVerified);
            Assert.True(lost);
        }
    }

    [Fact]
    public async Task Complete_NoResponseAndNothingPublished_FailsAndAborts()
    {
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) ? NoResponse() : null };
        await using ScriptedServer server = new(store.Answer);

        await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large, attempts: 2));

        Assert.Single(server.Requests, request => request.Method == "HEAD");
        Assert.False(store.HasOpenUpload);
    }

    [Fact]
    public async Task Complete_NoResponseAndAnotherObjectExists_Fails()
    {
        TinyStore store = new();
        await using ScriptedServer server = new(store.Answer);
        await UploadAsync(server, Small);
        store.Instead = request => TinyStore.IsComplete(request) ? NoResponse() : null;

        await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large));

        Assert.Equal(Small, store.Content);
        Assert.False(store.HasOpenUpload);
    }

    [Theory]
    [InlineData("<CompleteMultipartUploadResult><ETag>")]
    [InlineData("")]
    [InlineData("all is well")]
    public async Task Complete_ResponseIsTruncated_IsConfirmedByTheObject(string body)
    {
        TinyStore store = new()
        {
            Afterwards = (request, answer) => TinyStore.IsComplete(request) ? ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Type: application/xml", body) : answer,
        };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large, attempts: 2);

        Assert.True(result.Verdict.IsVerified);
        Assert.Single(server.Requests, request => request.Method == "HEAD");
    }

    [Fact]
    public async Task Put_ResponseIsLostAndThereIsNoChecksum_IsConfirmedByTheETag()
    {
        bool lost = false;
        TinyStore store = new() { Afterwards = (request, answer) => request.Method == "PUT" && !lost && (lost = true) ? NoResponse() : answer };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Small, OnlyIfAbsent with { Checksum = ChecksumAlgorithm.None }, attempts: 2);

        Assert.Equal(Small, store.Content);
        Assert.False(result.Verdict.IsVerified);
    }

    [Fact]
    public async Task Put_ResponseIsLostAndTheRetryFailsItsCondition_IsConfirmedByTheObject()
    {
        bool lost = false;
        TinyStore store = new() { Afterwards = (request, answer) => request.Method == "PUT" && !lost && (lost = true) ? NoResponse() : answer };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Small, OnlyIfAbsent, attempts: 2);

        Assert.Equal(Small, store.Content);
        Assert.True(result.Verdict.IsVerified);
    }

    [Theory]
    [MemberData(nameof(WiresAndSizes))]
    public async Task Condition_IsSigned(TransferWire wire, bool large)
    {
        TinyStore store = new();
        await using ScriptedServer server = new(store.Answer);

        await UploadAsync(server, large ? Large : Small, OnlyIfAbsent, wire);

        ScriptedRequest request = Assert.Single(server.Requests, request => request.Header("If-None-Match") is not null);
        Assert.Equal("*", request.Header("If-None-Match"));
        Assert.Matches("SignedHeaders=[a-z0-9;-]*;if-none-match;", request.Header("Authorization"));
    }

    [Theory]
    [MemberData(nameof(WiresAndSizes))]
    public async Task Condition_RejectedByTheStore_IsOmitted(TransferWire wire, bool large)
    {
        TinyStore store = new() { Instead = request => request.Header("If-None-Match") is null ? null : ScriptedAnswer.Error(501, "NotImplemented") };
        await using ScriptedServer server = new(store.Answer);
        byte[] content = large ? Large : Small;

        UploadResult result = await UploadAsync(server, content, OnlyIfAbsent, wire);
        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => UploadAsync(server, [1], OnlyIfAbsent, wire));

        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(content, store.Content);
    }

    [Fact]
    public async Task Create_ResponseHasNoId_Throws()
    {
        TinyStore store = new() { Instead = request => TinyStore.IsCreate(request) ? ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", "<InitiateMultipartUploadResult/>") : null };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large));

        Assert.Contains("did not return its ID", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(server.Requests, TinyStore.IsPart);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Abort_AlsoFails_IsAddedToTheFirstError(TransferWire wire)
    {
        TinyStore store = new() { Instead = request => TinyStore.IsPart(request) || request.Method == "DELETE" ? ScriptedAnswer.Error(403, request.Method == "DELETE" ? "NoAbort" : "NoPart") : null };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large, wire: wire));

        Assert.Equal("NoPart", e.ErrorCode);
        Assert.Equal("NoAbort", Assert.IsType<TransferException>(e.CleanupError).ErrorCode);
    }

    private static ScriptedAnswer NoResponse() => new([], ThenClose: true);

    private static ScriptedAnswer ErrorIn200(string code)
        => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Type: application/xml", $"<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code><Message>no</Message></Error>");

    private static byte[] BodyOf(ScriptedAnswer answer)
    {
        int end = answer.Bytes.AsSpan().IndexOf("\r\n\r\n"u8);
        return answer.Bytes[(end + 4)..];
    }

    private static ScriptedAnswer Chunked(string head, byte[] body)
        => ScriptedAnswer.Of(head + "\r\nTransfer-Encoding: chunked", [.. Encoding.ASCII.GetBytes($"{body.Length:x}\r\n"), .. body, .. "\r\n0\r\n\r\n"u8]);
}
