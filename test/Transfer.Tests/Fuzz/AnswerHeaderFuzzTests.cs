using System.Net;
using System.Numerics;
using System.Text.RegularExpressions;
using Transfer.S3.Integrity;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Any headers of a store's response.</summary>
public sealed class AnswerHeaderFuzzTests
{
    private static readonly Regex Grammar = new("^bytes (?<first>[0-9]+)-(?<last>[0-9]+)/(?<total>[0-9]+)\\z", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking);
    private static readonly string[] Ranges = ["bytes 0-9/10", "bytes 5-5/100", "BYTES 0-0/1", "bytes 281474976710655-281474976710655/281474976710656", "bytes 9223372036854775806-9223372036854775806/9223372036854775807"];
    private static readonly string[] Words = ["bytes ", "bytes=", "*/10", "/*", "-", "/", "10"];

    private static readonly string[] Names =
    [
        "ETag", "x-amz-version-id", "x-amz-request-id", "x-amz-checksum-crc64nvme", "x-amz-checksum-sha256", "x-amz-checksum-type", "x-amz-meta-a", "X-Amz-Meta-B", "x-amz-bucket-region",
        "Location", "Date", "Retry-After", "Content-Length", "Content-Range", "Content-Type", "Last-Modified", "Content-Encoding", "Expires",
    ];

    private static readonly string[] Values =
    [
        "\"0123456789abcdef0123456789abcdef\"", "W/\"e\"", "Thu, 01 Jan 2026 00:00:00 GMT", "10", "AAAAAAAAAAA=", "AAAAAAAAAAA=-3", "COMPOSITE", "bytes 0-9/10", "text/plain; charset=x",
        "https://b.s3.eu-west-1.amazonaws.com/k", "http://h:1/b/k", "eu-west-1",
    ];

    [Fact]
    public Task ContentRange_AnyText_EqualsTheGrammar() => Fuzzer.TextAsync(
        random => Mutation.Text(random, Ranges, Words),
        text =>
        {
            Match match = Grammar.Match(text.Trim());
            BigInteger[] numbers = [.. match.Groups.Values.Skip(1).Where(group => group.Success).Select(group => BigInteger.Parse(group.Value))];
            bool isRange = match.Success && numbers[0] <= numbers[1] && numbers[1] < numbers[2] && numbers[2] <= Sizes.MaxObject;

            Assert.Equal(isRange, ReceivedRange.TryParse(text, out ReceivedRange range));
            Assert.Equal(isRange ? new ReceivedRange((long)numbers[0], (long)(numbers[1] - numbers[0] + 1), (long)numbers[2]) : default, range);
        });

    [Fact]
    public Task RangeResponse_AnyHeaders_IsTheRequestedRangeOrAnError() => Fuzzer.CheckAsync(
        random => (
            Status: random.Next(4) switch { 0 => HttpStatusCode.OK, 1 => (HttpStatusCode)random.Next(100, 600), _ => HttpStatusCode.PartialContent },
            Range: random.Next(4) == 0 ? null : Mutation.Text(random, Ranges, Words),
            ContentLength: random.Next(3) switch { 0 => -1, 1 => 10, _ => Mutation.Number(random) },
            Offset: random.Next(2) == 0 ? 0 : Math.Abs(Mutation.Number(random)) / 2,
            Length: random.Next(2) == 0 ? (long?)null : random.Next(2) == 0 ? 10 : Math.Max(1, Math.Abs(Mutation.Number(random)) / 2)),
        asked =>
        {
            try
            {
                ReceivedRange answer = ReceivedRange.Check(asked.Status, asked.Range, asked.ContentLength, "R", new RequestedRange(asked.Offset, asked.Length));

                Assert.InRange(answer.Length, 0, answer.Total);
                Assert.True(asked.Length is null || answer.Length <= asked.Length || answer.IsAll);
                Assert.True(asked.ContentLength <= 0 || answer.Length == asked.ContentLength);
                Assert.Contains(asked.Status, (HttpStatusCode[])[HttpStatusCode.OK, HttpStatusCode.PartialContent]);
            }
            catch (WireException e)
            {
                Assert.Equal("R", e.RequestId);
            }
        });

    [Fact]
    public Task RetryAfter_AnyHeaders_IsWithinAMinuteOrNull() => Fuzzer.CheckAsync(
        random => (
            Seconds: Mutation.Text(random, ["7", "120", "Thu, 01 Jan 2026 00:00:09 GMT", "Thursday, 01-Jan-26 00:00:09 GMT"]),
            Milliseconds: Mutation.Text(random, ["7", "9223372036854775807"]),
            Date: Mutation.Text(random, ["Thu, 01 Jan 2026 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"])),
        headers =>
        {
            TimeSpan? delay = RetryAfter.Read(name => name switch { "Retry-After" => headers.Seconds, "Date" => headers.Date, _ => headers.Milliseconds });

            Assert.InRange(delay ?? TimeSpan.Zero, TimeSpan.Zero, RetryAfter.Longest);
            if (headers.Milliseconds.Length is > 0 and < 19 && headers.Milliseconds.All(char.IsAsciiDigit))
            {
                Assert.Equal(Math.Min(long.Parse(headers.Milliseconds), 60_000), delay?.TotalMilliseconds);
            }
        });

    [Fact]
    public Task Info_AnyHeaders_DoesNotThrowAndKeepsTheLength() => Fuzzer.CheckAsync(
        NewHeaders,
        headers =>
        {
            using HttpResponseMessage response = ToResponse(headers);
            ObjectInfo info = S3ResponseHeaders.ToHead(response, new ReceivedRange(0, 7, 7), new ObjectAddress("bucket", "key"), keepsAnswer: false).Info;

            Assert.Equal(7, info.Length);
            Assert.NotEqual(string.Empty, info.Checksum?.Value);
            Assert.All(info.Metadata.Keys, name => Assert.Equal(name.ToLowerInvariant(), name));
            _ = response.Content.Headers.ContentLength;
            _ = response.Headers.Date;
            _ = ModificationTime.Get(info);
            _ = Md5Tag.GetPartCount(info.ETag);
            Assert.True(ETags.AreSame(info.ETag, info.ETag));
        });

    [Fact]
    public Task Redirection_AnyHeaders_IsAnAddressOrNull() => Fuzzer.CheckAsync(
        NewHeaders,
        headers =>
        {
            using HttpResponseMessage response = ToResponse(headers);
            response.StatusCode = HttpStatusCode.MovedPermanently;
            response.RequestMessage = new HttpRequestMessage(HttpMethod.Get, "http://127.0.0.1:9000/b/k");
            Redirection? redirection = Redirections.Find(response, default);

            Assert.NotNull(redirection);
            Assert.True(redirection.Location is null || redirection.Location.IsAbsoluteUri);
            Assert.NotEqual(string.Empty, redirection.Region);
        });

    [Fact]
    public Task ModificationTime_AnyText_IsATimeOrThatOfTheStore() => Fuzzer.TextAsync(
        random => Mutation.Text(random, ["1700000000.1234567", "-62135596800", "253402300799.9999999"]),
        text => _ = ModificationTime.Get(new ObjectInfo { Length = 0, Metadata = new Dictionary<string, string> { [ModificationTime.Name] = text } }));

    [Fact]
    public Task ModificationTime_Written_CanBeReadBackExactly() => Fuzzer.CheckAsync(
        random => new DateTimeOffset(random.NextInt64(DateTimeOffset.MinValue.Ticks, DateTimeOffset.MaxValue.Ticks), TimeSpan.Zero),
        time => Assert.Equal(
            time, ModificationTime.Get(new ObjectInfo { Length = 0, Metadata = new Dictionary<string, string> { [ModificationTime.Name] = ModificationTime.Format(time) } })));

    private static (string Name, string Value)[] NewHeaders(Random random)
        => [.. Enumerable.Range(0, random.Next(8)).Select(_ => (Names[random.Next(Names.Length)], Mutation.Text(random, Values)))];

    private static HttpResponseMessage ToResponse((string Name, string Value)[] headers)
    {
        HttpResponseMessage response = new(HttpStatusCode.OK) { Content = new ByteArrayContent([]) };
        foreach ((string name, string value) in headers)
        {
            _ = response.Headers.TryAddWithoutValidation(name, value) || response.Content.Headers.TryAddWithoutValidation(name, value);
        }

        return response;
    }
}
