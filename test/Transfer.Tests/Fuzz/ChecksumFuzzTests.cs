using Transfer.S3.Integrity;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Tests.Integrity;
using Transfer.S3.Tests.Verify;
using ObjectChecksum = Transfer.S3.Integrity.ObjectChecksum;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Checksums in any text, and combined checksums of parts.</summary>
public sealed class ChecksumFuzzTests
{
    private static readonly ChecksumAlgorithm[] Algorithms = [.. ChecksumTable.Stored.Select(static entry => entry.Algorithm), ChecksumAlgorithm.ContentMd5];

    [Fact]
    public Task Crc_AnyText_IsParsedOnlyInItsCanonicalForm() => Fuzzer.TextAsync(
        random => Mutation.Text(random, ["rosUhgp5mIg=", "y/Q5Jg==", "4waSgw=="], "==", "=-2", "A"),
        text =>
        {
            // The last Base64 character has unused bits, which other writers may set. Apart from these bits, a parsed value has a single form.
            Assert.True(!Crc.Crc64Nvme.TryParseBase64(text, out ulong crc64) || Crc.Crc64Nvme.ToBase64(crc64)[..10] == text[..10]);
            Assert.True(!Crc.Crc32C.TryParseBase64(text, out ulong crc32C) || Crc.Crc32C.ToBase64(crc32C)[..5] == text[..5]);
            Assert.Equal(Crc.Crc32C.TryParseBase64(text, out _), Crc.Crc32.TryParseBase64(text, out _));
        });

    [Fact]
    public Task Declared_AnyText_IsWellFormedIfItHasTheLengthOfTheAlgorithm() => Fuzzer.TextAsync(
        random => Mutation.Text(random, ["rosUhgp5mIg=", "y/Q5Jg==", "2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="], "=", "-2"),
        text => Assert.All(ChecksumInfo.Known, info => Assert.Equal(Decoded(text) == info.Bytes && text.Length <= 48, info.IsWellFormed(text))));

    [Fact]
    public Task ETag_AnyText_IsAnMd5OrNot() => Fuzzer.TextAsync(
        random => Mutation.Text(random, ["\"0123456789abcdef0123456789ABCDEF\"", "0123456789abcdef0123456789abcdef-12", "\"x\""], "-", "-0", "-00001", "\""),
        text =>
        {
            bool whole = Md5Tag.TryRead(text, out string? md5);
            Assert.True(!whole || Md5Tag.Matches(text, md5!));
            int? parts = Md5Tag.GetPartCount(text);
            Assert.False(whole && parts is not null);
            Assert.True(parts is null or > 0);
        });

    [Fact]
    public Task Parts_AnyLengths_CombineToTheFullChecksum() => Fuzzer.CheckAsync(
        random => (Content: Mutation.NoiseBytes(random, 300), Cuts: Enumerable.Range(0, random.Next(6)).Select(_ => random.NextDouble()).Order().ToArray(), Algorithm: Algorithms[random.Next(Algorithms.Length)]),
        upload =>
        {
            ObjectChecksum combined = new();
            List<byte> digests = [];
            int start = 0;
            foreach (double cut in upload.Cuts.Append(1))
            {
                int end = (int)(cut * upload.Content.Length);
                using PartChecksum part = new(upload.Algorithm);
                part.Append(upload.Content.AsSpan(start, end - start));
                combined.Add(part.ToValue());
                digests.AddRange(Convert.FromBase64String(part.ToBase64()!));
                start = end;
            }

            string composite = $"-{upload.Cuts.Length + 1}";
            Assert.Equal(upload.Algorithm, combined.Algorithm);
            Assert.Equal(upload.Content.Length, combined.Length);
            Assert.Equal(
                upload.Algorithm switch
                {
                    ChecksumAlgorithm.Crc64Nvme => CrcOf.Crc64Nvme(upload.Content),
                    ChecksumAlgorithm.Crc32C => Crc.Crc32C.ToBase64(CrcBitwise.Compute(CrcBitwise.Crc32C, 32, upload.Content)),
                    ChecksumAlgorithm.Crc32 => Crc.Crc32.ToBase64(CrcBitwise.Compute(CrcBitwise.Crc32, 32, upload.Content)),
                    ChecksumAlgorithm algorithm => Sums.Full(algorithm, [.. digests]).Value + composite,
                },
                combined.Expected);
        });

    private static int Decoded(string text)
    {
        try
        {
            return Convert.FromBase64String(text).Length;
        }
        catch (FormatException)
        {
            return -1;
        }
    }
}
