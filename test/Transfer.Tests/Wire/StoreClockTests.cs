using System.Globalization;
using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>The clock of the store. Whatever a response says about it, later requests succeed.</summary>
public sealed class StoreClockTests
{
    private static readonly ObjectAddress Address = new(FakeHttp.Bucket, FakeHttp.Key);
    private static int _hosts;

    [Theory]
    [InlineData("Fri, 31 Dec 9999 23:59:59 GMT")]
    [InlineData("Mon, 01 Jan 0001 00:00:00 GMT")]
    [InlineData("Mon, 01 Jan 2525 00:00:00 GMT")]
    [InlineData("Fri, 31 Dec 2038 23:59:59 GMT")]
    [InlineData("Sun, 01 Jan 2006 00:00:00 GMT")]
    [InlineData("Thu, 01 Jan 2015 00:00:00 GMT")]
    [InlineData("x")]
    [InlineData("")]
    public async Task WrongDate_NextRequestsSucceed(string date)
    {
        foreach (TransferWire kind in (TransferWire[])[TransferWire.Http, TransferWire.Sdk])
        {
            foreach (bool isHead in (bool[])[true, false])
            {
                foreach (int lies in (int[])[1, 2, 3])
                {
                    // The SDK has no other clock than that of the system, and its correction is of the process, by the endpoint.
                    FakeTimeProvider time = new(TimeProvider.System.GetUtcNow()) { AutoAdvanceAmount = TimeSpan.FromSeconds(1) };
                    FakeHttp? http = null;
                    http = new FakeHttp(request => http!.Requests.Count <= lies ? Reject(isHead, date)
                        : IsAt(request, TimeProvider.System.GetUtcNow()) ? FakeHttp.Answer(HttpStatusCode.OK, isHead ? string.Empty : "<Tagging/>")
                        : Reject(isHead, TimeProvider.System.GetUtcNow().ToString("R")));
                    using FakeWires wires = new(NewS3(http), kind, time);
                    for (int i = 0; i < lies; i++)
                    {
                        await Record.ExceptionAsync(() => SendAsync(wires.For(FakeHttp.Bucket), isHead).Within());
                    }

                    await SendAsync(wires.For(FakeHttp.Bucket), isHead).Within();
                    await SendAsync(wires.For(FakeHttp.Bucket), isHead).Within();
                }
            }
        }
    }

    /// <summary>A proxy can remove the date. The offset was right once, and isn't anymore.</summary>
    [Fact]
    public async Task LearnedOffsetIsRejectedWithoutADate_IsForgotten()
    {
        FakeTimeProvider time = new(TimeProvider.System.GetUtcNow());
        DateTimeOffset storeTime = time.GetUtcNow().AddHours(2);
        bool hasDate = true;
        FakeHttp http = new(request => IsAt(request, storeTime) ? FakeHttp.Answer(HttpStatusCode.OK, "<Tagging/>") : Reject(isHead: false, hasDate ? storeTime.ToString("R") : "x"));
        using FakeWires wires = new(NewS3(http), TransferWire.Http, time);

        await SendAsync(wires.For(FakeHttp.Bucket), isHead: false).Within();
        (storeTime, hasDate) = (time.GetUtcNow(), false);
        await SendAsync(wires.For(FakeHttp.Bucket), isHead: false).Within();
        await SendAsync(wires.For(FakeHttp.Bucket), isHead: false).Within();

        Assert.Equal(5, http.Requests.Count); // each change costs one request
    }

    /// <summary>The time is learned only if the store accepts it, whatever else is wrong with the request.</summary>
    [Theory]
    [InlineData(HttpStatusCode.OK, "", true)]
    [InlineData(HttpStatusCode.NotFound, "NoSuchKey", true)]
    [InlineData(HttpStatusCode.Forbidden, "RequestTimeTooSkewed", false)]
    public async Task Offset_IsLearnedIfItIsAccepted(HttpStatusCode status, string code, bool isLearned)
    {
        FakeTimeProvider time = new(TimeProvider.System.GetUtcNow());
        string date = time.GetUtcNow().AddHours(2).ToString("R");
        FakeHttp? http = null;
        http = new FakeHttp(_ => http!.Requests.Count == 1 ? Reject(isHead: false, date)
            : code.Length == 0 ? FakeHttp.Answer(status, "<Tagging/>")
            : FakeHttp.Error(status, code, ("Date", date)));
        using FakeWires wires = new(NewS3(http), TransferWire.Http, time);

        await Record.ExceptionAsync(() => SendAsync(wires.For(FakeHttp.Bucket), isHead: false).Within());
        await Record.ExceptionAsync(() => SendAsync(wires.For(FakeHttp.Bucket), isHead: false).Within());

        Assert.True(IsAt(http.Requests.ElementAt(1), time.GetUtcNow().AddHours(2)));
        Assert.Equal(isLearned, IsAt(http.Requests.ElementAt(2), time.GetUtcNow().AddHours(2)));
    }

    [Theory]
    [InlineData("2006-02-28T23:59:59Z", false)]
    [InlineData("2006-03-01T00:00:00Z", true)]
    [InlineData("2106-03-01T00:00:00Z", true)]
    [InlineData("2106-03-01T00:00:01Z", false)]
    [InlineData("0001-01-01T00:00:00Z", false)]
    [InlineData("9999-12-31T23:59:59Z", false)]
    public void OfStore_Date_IsWithinACenturyOfTheApi(string date, bool isPossible)
    {
        DateTimeOffset time = DateTimeOffset.Parse(date, CultureInfo.InvariantCulture);

        Assert.Equal(isPossible ? time : null, HttpTime.OfStore(time));
        Assert.Null(HttpTime.OfStore(null));
    }

    /// <summary>The body of a request that is sent again begins at its first byte.</summary>
    [Fact]
    public async Task WrongDate_OverTheSdk_BodyIsSentAgain()
    {
        byte[] content = Sample.Bytes(1000);
        List<byte[]> bodies = [];
        FakeHttp http = new(request =>
        {
            bodies.Add(request.Content!.ReadAsByteArrayAsync().Block());
            return bodies.Count == 1 ? Reject(isHead: false, TimeProvider.System.GetUtcNow().AddHours(-2).ToString("R")) : FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\""));
        });
        using FakeWires wires = new(NewS3(http), TransferWire.Sdk);
        NewObject target = new(Address, ChecksumAlgorithm.None, default, new ObjectHeaders());

        await wires.For(FakeHttp.Bucket).PutObjectAsync(target, new RequestBody(new Transfer.S3.Buffers.SequenceBytes(new(content)), null), default).Within();

        Assert.Equal([content, content], bodies);
    }

    private static async Task SendAsync(IObjectWire wire, bool isHead)
    {
        if (isHead)
        {
            await wire.HeadAsync(Address, default);
        }
        else
        {
            await wire.GetTagsAsync(Address, default);
        }
    }

    private static HttpResponseMessage Reject(bool isHead, string date)
        => isHead ? FakeHttp.Answer(HttpStatusCode.Forbidden, headers: ("Date", date)) : FakeHttp.Error(HttpStatusCode.Forbidden, "RequestTimeTooSkewed", ("Date", date));

    private static bool IsAt(HttpRequestMessage request, DateTimeOffset time)
        => (DateTimeOffset.ParseExact(FakeHttp.Header(request, "x-amz-date")!, "yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal) - time).Duration() < TimeSpan.FromMinutes(15);

    private static AmazonS3Client NewS3(FakeHttp http) => http.NewS3(config =>
    {
        config.ServiceURL = $"https://clock-{Interlocked.Increment(ref _hosts)}.example";
        config.ForcePathStyle = true;
        config.AuthenticationRegion = "us-east-1";
    });
}
