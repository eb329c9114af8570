using Amazon.Runtime;
using Amazon.Runtime.Internal.Auth;
using Amazon.Util;
using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>Compares signatures with those of the SDK for the same canonical request.</summary>
public class RequestSignerTests
{
    private const string Hash = SignedRequest.EmptyPayload;
    private static readonly DateTimeOffset Start = new(2026, 2, 28, 23, 59, 58, TimeSpan.Zero);

    [Fact]
    public void Authorize_AnyRequest_EqualsTheSignatureOfTheSdk()
    {
        // Use one signer for all requests, so that cached keys meet other credentials, regions, and days.
        RequestSigner signer = new();
        ResetHashOfTheSdk();
        Prop.ForAll<(NonNull<string> Key, NonNull<string> Value, NonNull<string> Metadata), (byte Account, byte Region, byte Seconds)>((text, number) =>
        {
            ImmutableCredentials credentials = new($"AKID{number.Account % 3}", $"secret{number.Account % 5}", number.Account % 2 == 0 ? null : new string('t', 3000));
            string region = $"region-{number.Region % 3}";
            SigningTime time = signer.GetTime(Start.AddSeconds(number.Seconds % 5));
            string path = "/" + Escape(text.Key.Get);
            string query = $"a={Escape(text.Value.Get)}";
            RequestHeader[] headers =
            [
                new("Range", "bytes=0-1", IsSigned: false),
                new("host", "localhost:9000", IsSigned: true),
                new("x-amz-date", time.Text, IsSigned: true),
                new("x-amz-meta-a", Escape(text.Metadata.Get), IsSigned: true),
                new("x-amz-security-token", credentials.Token ?? "none", IsSigned: true),
            ];
            string names = string.Join(';', headers.Where(header => header.IsSigned).Select(header => header.Name));
            string lines = string.Concat(headers.Where(header => header.IsSigned).Select(header => $"{header.Name}:{header.Value}\n"));
            string canonical = $"GET\n{path}\n{query}\n{lines}\n{names}\n{Hash}";
            DateTime at = DateTime.ParseExact(time.Text, "yyyyMMdd'T'HHmmss'Z'", null, System.Globalization.DateTimeStyles.AdjustToUniversal);

            string expected = AWS4Signer.ComputeSignature(credentials.AccessKey, credentials.SecretKey, region, at, "s3", names, canonical).ForAuthorizationHeader;

            Assert.Equal(expected, signer.Authorize("GET", path, query, headers, Hash, credentials, region, time));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(2_000));
    }

    [Fact]
    public void Authorize_Concurrently_SignsEachIndependently()
    {
        RequestSigner signer = new();

        Parallel.For(0, 4000, i => Assert.Equal(Sign(new RequestSigner(), i), Sign(signer, i)));

        static string Sign(RequestSigner signer, int i)
            => signer.Authorize("GET", $"/{i}", string.Empty, [new("host", "localhost", IsSigned: true)], Hash, new ImmutableCredentials("AKID", "secret", null), "region", signer.GetTime(Start));
    }

    [Theory]
    [InlineData("a  b   c", "a b c")]
    [InlineData("  a b ", "a b")]
    [InlineData("a ", "a")]
    [InlineData("     ", "")]
    [InlineData("ü  €", "ü €")]
    public void Value_WithSpaces_IsSignedWithSingleSpaces(string value, string expected)
    {
        Utf8Text text = new(stackalloc byte[1]);

        Assert.Equal(expected, text.AddJoiningSpaces(value).ToString());
    }

    [Fact]
    public void TimeOf_WithinASecond_IsTheSameText()
    {
        RequestSigner signer = new();

        SigningTime first = signer.GetTime(Start);

        Assert.Same(first, signer.GetTime(Start.AddMilliseconds(999)));
        Assert.EachEqual(("20260228T235958Z", "20260228T235959Z"), (first.Text, signer.GetTime(Start.AddSeconds(1)).Text));
    }

    [Fact]
    public void Build_AllocatesLittle()
    {
        RequestSigner signer = new();
        StoreEndpoint endpoint = new("http://localhost:9000", "localhost:9000", "/bucket/", "us-east-1", KeepsBodiesWhole: true);
        ImmutableCredentials credentials = new("AKIAIOSFODNN7EXAMPLE", "secret", null);
        BuildOne();

        long before = GC.GetAllocatedBytesForCurrentThread();
        BuildOne();
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.True(bytes < 2 * 1024, $"{bytes} bytes were allocated");

        void BuildOne()
        {
            SignedRequest request = new(HttpMethod.Get, "folder/key");
            request.Amz("x-amz-checksum-mode", "ENABLED");
            request.Header("Range", "bytes=0-8388607");
            using HttpRequestMessage message = request.Build(endpoint, credentials, signer, signsBody: false, Start);
        }
    }

    // The SDK keeps one SHA256 per thread. If a stream fails while it is hashed, the hash keeps what was read, and the thread's next result is wrong.
    // Another test may have left the thread in this state.
    private static void ResetHashOfTheSdk() => CryptoUtilFactory.CryptoInstance.ComputeSHA256Hash([]);

    private static string Escape(string text) => Uri.EscapeDataString(string.Concat(text.Where(c => !char.IsSurrogate(c))));
}
