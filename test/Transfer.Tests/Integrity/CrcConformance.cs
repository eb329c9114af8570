using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;

namespace Transfer.S3.Tests.Integrity;

/// <summary>The contract of every CRC. Each has a subclass here that provides it and its known results.</summary>
public abstract class CrcConformance
{
    private const int MaxLength = 5000;

    protected abstract Crc Crc { get; }

    protected abstract ulong Polynomial { get; }

    protected abstract int Width { get; }

    protected abstract string KnownBase64 { get; }

    [Theory]
    [InlineData(CrcSample.Empty)]
    [InlineData(CrcSample.Digits)]
    [InlineData(CrcSample.Letter)]
    [InlineData(CrcSample.Greeting)]
    [InlineData(CrcSample.Zeros32)]
    [InlineData(CrcSample.Ones32)]
    [InlineData(CrcSample.Ascending)]
    [InlineData(CrcSample.Zeros4096)]
    [InlineData(CrcSample.Pattern)]
    public void Compute_KnownInput_KnownValue(string sample)
    {
        byte[] data = CrcSample.Get(sample);

        Assert.Equal(KnownAnswer(sample), Crc.Compute(data));
        Assert.Equal(KnownAnswer(sample), CrcBitwise.Compute(Polynomial, Width, data));
    }

    [Fact]
    public void Compute_RandomData_EqualsBitwise() => Check((length, seed) =>
    {
        byte[] data = CrcSample.Random(length, seed);
        return Crc.Compute(data) == CrcBitwise.Compute(Polynomial, Width, data);
    });

    [Fact]
    public void Append_FinishedValue_ContinuesAnywhere() => Check((length, seed) =>
    {
        byte[] data = CrcSample.Random(length, seed);
        int cut = new Random(seed).Next(length + 1);
        return Crc.Append(Crc.Compute(data.AsSpan(0, cut)), data.AsSpan(cut)) == Crc.Compute(data);
    });

    [Fact]
    public void Append_RandomPieces_SameAsWhole() => Check((length, seed) =>
    {
        byte[] data = CrcSample.Random(length, seed);
        Random random = new(seed);
        ulong crc = 0;
        for (int offset = 0; offset < length;)
        {
            int count = random.Next(Math.Min(length - offset, 700) + 1);
            crc = Crc.Append(crc, data.AsSpan(offset, count));
            offset += count;
        }

        return crc == Crc.Compute(data);
    });

    [Fact]
    public void Combine_TwoBlocks_SameAsWhole() => Check((length, seed) =>
    {
        byte[] data = CrcSample.Random(length, seed);
        int cut = new Random(seed).Next(length + 1);
        return Crc.Combine(Crc.Compute(data.AsSpan(0, cut)), Crc.Compute(data.AsSpan(cut)), length - cut) == Crc.Compute(data);
    });

    [Fact]
    public void Combine_ThreeBlocks_OrderOfJoiningDoesNotMatter() => Check((length, seed) =>
    {
        // Combining is associative for any values and lengths, not only for those of actual data.
        Random random = new(seed);
        ulong a = RandomValue(random);
        ulong b = RandomValue(random);
        ulong c = RandomValue(random);
        long bLength = random.NextInt64(long.MaxValue / 2);
        long cLength = length;
        return Crc.Combine(Crc.Combine(a, b, bLength), c, cLength) == Crc.Combine(a, Crc.Combine(b, c, cLength), bLength + cLength);
    });

    [Fact]
    public void Combine_EmptyBlock_ChangesNothing()
    {
        ulong crc = KnownAnswer(CrcSample.Digits);

        Assert.Equal(crc, Crc.Combine(crc, 0, 0));
        Assert.Equal(crc, Crc.Combine(0, crc, 9));
    }

    [Fact]
    public void Combine_NegativeLength_Throws() =>
        Assert.Throws<ArgumentOutOfRangeException>("secondLength", () => Crc.Combine(1, 2, -1));

    [Fact]
    public void Combine_LengthsBeyondInt32_SameAsRepeatedDoubling()
    {
        // Compares zeros doubled up to 4 TiB, with one Combine for each doubling, with one Combine over everything that was added since 4096.
        const long Start = 4096;
        ulong start = KnownAnswer(CrcSample.Zeros4096);
        ulong doubled = start;
        ulong added = 0; // the zeros after the first 4096
        for (long length = Start; length < 1L << 42; length *= 2)
        {
            added = length == Start ? start : Crc.Combine(added, doubled, length);
            doubled = Crc.Combine(doubled, doubled, length);
            Assert.Equal(doubled, Crc.Combine(start, added, (length * 2) - Start));
            Assert.Equal(doubled, Crc.Combine(added, start, Start));
        }
    }

    [Fact]
    public async Task Combine_FromManyThreads_StaysExact()
    {
        byte[] data = CrcSample.Get(CrcSample.Pattern);
        ulong whole = KnownAnswer(CrcSample.Pattern);
        using CancellationTokenSource deadline = new(TimeSpan.FromSeconds(30));
        Task[] workers = [.. Enumerable.Range(1, 4).Select(worker => Task.Run(
            () =>
            {
                int cut = data.Length / 5 * worker;
                ulong first = Crc.Compute(data.AsSpan(0, cut));
                ulong second = Crc.Compute(data.AsSpan(cut));
                for (int i = 0; i < 2000; i++)
                {
                    Assert.Equal(whole, Crc.Combine(first, second, data.Length - cut));
                }
            },
            deadline.Token))];

        await Task.WhenAll(workers).WaitAsync(deadline.Token);
    }

    [Fact]
    public void ToBase64_KnownValue_BigEndianForm()
    {
        string text = Crc.ToBase64(KnownAnswer(CrcSample.Digits));

        Assert.Equal(KnownBase64, text);
        Assert.True(Crc.TryParseBase64(text, out ulong value));
        Assert.Equal(KnownAnswer(CrcSample.Digits), value);
    }

    [Fact]
    public void ToBase64_AnyValue_ParsesBack() => Check((_, seed) =>
    {
        ulong value = RandomValue(new Random(seed));
        return Crc.TryParseBase64(Crc.ToBase64(value), out ulong parsed) && parsed == value;
    });

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("=")]
    [InlineData("AA==")]
    [InlineData("AAAA")]
    [InlineData("AAAAAAAA")]
    [InlineData("AAAAAAAAAAAA")]
    [InlineData("AAAAAA=")]
    [InlineData("AAAAAAAAAAA")]
    [InlineData("AAAAA===")]
    [InlineData("AAAAAAAAA===")]
    [InlineData("AAAA AA=")]
    [InlineData("AAA AAAAAAA=")]
    [InlineData(" AAAAAA==")]
    [InlineData("AAAAAAAAAAA= ")]
    [InlineData("AAA_AA==")]
    [InlineData("AAA-AAAAAAA=")]
    [InlineData("y/Q5Jg==-2")]
    [InlineData("rosUhgp5mIg=-2")]
    [InlineData("AAAAAAAAAAAAAAAAAAAAAA==")]
    public void TryParseBase64_AnythingElse_False(string? text)
    {
        Assert.False(Crc.TryParseBase64(text, out ulong value));
        Assert.Equal(0UL, value);
    }

    [Fact]
    public void TryParseBase64_TheOtherWidth_False() =>
        Assert.False(Crc.TryParseBase64(Width == 32 ? "rosUhgp5mIg=" : "y/Q5Jg==", out _));

    protected abstract ulong KnownAnswer(string sample);

    private ulong RandomValue(Random random)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        random.NextBytes(bytes);
        return BinaryPrimitives.ReadUInt64LittleEndian(bytes) >> (64 - Width);
    }

    /// <summary>Checks a property of a length and a seed.</summary>
    private static void Check(Func<int, int, bool> property) => Prop.ForAll(
        Gen.Choose(0, MaxLength).ToArbitrary(),
        Gen.Choose(0, int.MaxValue).ToArbitrary(),
        property).QuickCheckThrowOnFailure();
}
