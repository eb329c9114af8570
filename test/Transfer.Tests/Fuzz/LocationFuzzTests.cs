using System.Text;
using Transfer.S3.Cli.Options;
using Transfer.S3.Server.Http;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Locations that users enter, and paths of requests.</summary>
public sealed class LocationFuzzTests
{
    [Fact]
    public Task Location_AnyText_CanBeReadBackOrIsRejected() => Fuzzer.TextAsync(
        random => Mutation.Text(random, ["s3://bucket/a/b c", "s3://bucket", "s3://", "-", "./-", "a/b", "/tmp/x", "S3://b.c-d/é", "s3:bucket", "http://h/k"], "s3://", "S3:", "://", "b"),
        text =>
        {
            try
            {
                Location location = Location.Parse(text);
                Assert.Equal(location, Location.Parse(location.ToString()));
                if (location.Kind == LocationKind.S3)
                {
                    Assert.All(location.Bucket, c => Assert.True(char.IsAscii(c) && !char.IsControl(c) && c is not ('/' or ' ' or '?' or '#' or '@' or '%')));
                    Assert.EndsWith(location.Key, text, StringComparison.Ordinal);
                }
                else
                {
                    Assert.Equal(text, location.ToString());
                }
            }
            catch (UsageException e)
            {
                Assert.DoesNotContain(e.Message, char.IsControl);
            }
        });

    [Fact]
    public Task Location_AnyBucketAndKey_KeepsBoth() => Fuzzer.TextAsync(
        random => Mutation.Noise(random),
        key => Assert.Equal(new Location(LocationKind.S3, string.Empty, "my.bucket-1", key), Location.Parse("s3://my.bucket-1/" + key)));

    [Fact]
    public Task Path_AnyKey_IsReadAndSignedTheSameByTheServer() => Fuzzer.TextAsync(
        random => WellFormed("k" + Mutation.Noise(random)),
        key =>
        {
            string path = SignedRequest.EncodePath(key);

            Assert.Equal(PercentEncoding.Encode(key, keepSlash: true), path);
            Assert.EachEqual(("bucket", key), (RequestTarget.Parse("/bucket/" + path, "127.0.0.1:9000").Bucket, RequestTarget.Parse("/bucket/" + path, "127.0.0.1:9000").Key));
            Assert.Equal(key, RequestTarget.Parse("/" + path, "bucket.localhost:9000").Key);
            Assert.All(path, c => Assert.True(char.IsAsciiLetterOrDigit(c) || c is '-' or '.' or '_' or '~' or '/' or '%'));
        });

    [Fact]
    public Task Encoding_AnyText_CanBeReadBack() => Fuzzer.TextAsync(
        random => WellFormed(Mutation.Noise(random)),
        text =>
        {
            foreach (bool keepSlash in (bool[])[false, true])
            {
                string encoded = PercentEncoding.Encode(text, keepSlash);
                Assert.True(PercentEncoding.TryDecode(encoded, plusIsSpace: true, out string? decoded));
                Assert.Equal(text, decoded);
                Assert.Equal(keepSlash ? Uri.EscapeDataString(text).Replace("%2F", "/", StringComparison.Ordinal) : Uri.EscapeDataString(text), encoded);
            }
        });

    [Fact]
    public Task Decoding_AnyText_EqualsTheModel() => Fuzzer.TextAsync(
        random => WellFormed(Mutation.Text(random, ["a%20b+c", "%C3%A9/%2f", "100%25"], "%", "%C3", "%A9", "%ff", "%2")),
        text =>
        {
            foreach (bool plusIsSpace in (bool[])[false, true])
            {
                string? expected = Decode(text, plusIsSpace);
                Assert.Equal(expected is not null, PercentEncoding.TryDecode(text, plusIsSpace, out string? decoded));
                Assert.Equal(expected, decoded);
            }
        });

    /// <summary>Replaces what UTF-8 can't represent: an unpaired surrogate has no bytes.</summary>
    internal static string WellFormed(string text) => string.Concat(text.EnumerateRunes());

    private static string? Decode(string text, bool plusIsSpace)
    {
        List<byte> bytes = [];
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] == '%')
            {
                if (i + 2 >= text.Length || !char.IsAsciiHexDigit(text[i + 1]) || !char.IsAsciiHexDigit(text[i + 2]))
                {
                    return null;
                }

                bytes.Add(Convert.ToByte(text.Substring(i + 1, 2), 16));
                i += 2;
            }
            else
            {
                string rune = char.IsHighSurrogate(text[i]) ? text.Substring(i++, 2) : text[i].ToString();
                bytes.AddRange(Encoding.UTF8.GetBytes(rune == "+" && plusIsSpace ? " " : rune));
            }
        }

        try
        {
            return new UTF8Encoding(false, throwOnInvalidBytes: true).GetString([.. bytes]);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }
}
