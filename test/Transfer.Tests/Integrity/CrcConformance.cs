using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;

namespace Transfer.S3.Tests.Integrity;

/// <summary>The contract of every public CRC class. Each has a subclass here that provides the class and its known results.</summary>
public abstract class CrcConformance
{
    private const int MaxLength = 5000;

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

        Assert.Equal(KnownAnswer(sample), Compute(data));
        Assert.Equal(KnownAnswer(sample), CrcBitwise.Compute(Polynomial, Width, data));
    }

    [Fact]
    public void Compute_RandomData_EqualsBitwise() => Check((length, seed) =>
    {
        byte[] data = CrcSample.Random(length, seed);
        return Compute(data) == CrcBitwise.Compute(Polynomial, Width, data);
    });

    [Fact]
    public void Append_FinishedValue_ContinuesAnywhere() => Check((length, seed) =>
    {
        byte[] data = CrcSample.Random(length, seed);
        int cut = new Random(seed).Next(length + 1);
        return Append(Compute(data.AsSpan(0, cut)), data.AsSpan(cut)) == Compute(data);
    });

    [Fact]
    public void Append_RandomPieces_SameAsWhole() => Check((length, seed) =>
    {
        byte[] data = CrcSample.Random(length, seed);
        Random random = new(seed);
        CrcInstance crc = Create();
        for (int offset = 0; offset < length;)
        {
            int count = random.Next(Math.Min(length - offset, 700) + 1);
            crc.Append(data.AsMemory(offset, count));
            offset += count;
        }

        return crc.Value() == Compute(data) && crc.Length() == length;
    });

    [Fact]
    public void Reset_AfterAppend_StartsOver()
    {
        byte[] data = CrcSample.Get(CrcSample.Greeting);
        CrcInstance crc = Create();
        Assert.Equal(0UL, crc.Value());
        Assert.Equal(0L, crc.Length());

        crc.Append(CrcSample.Get(CrcSample.Digits));
        crc.Reset();
        Assert.Equal(0UL, crc.Value());
        Assert.Equal(0L, crc.Length());

        crc.Append(data);
        Assert.Equal(KnownAnswer(CrcSample.Greeting), crc.Value());
        Assert.Equal(data.Length, crc.Length());
    }

    [Fact]
    public void Combine_TwoBlocks_SameAsWhole() => Check((length, seed) =>
    {
        byte[] data = CrcSample.Random(length, seed);
        int cut = new Random(seed).Next(length + 1);
        return Combine(Compute(data.AsSpan(0, cut)), Compute(data.AsSpan(cut)), length - cut) == Compute(data);
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
        return Combine(Combine(a, b, bLength), c, cLength) == Combine(a, Combine(b, c, cLength), bLength + cLength);
    });

    [Fact]
    public void Combine_EmptyBlock_ChangesNothing()
    {
        ulong crc = KnownAnswer(CrcSample.Digits);

        Assert.Equal(crc, Combine(crc, 0, 0));
        Assert.Equal(crc, Combine(0, crc, 9));
    }

    [Fact]
    public void Combine_NegativeLength_Throws() =>
        Assert.Throws<ArgumentOutOfRangeException>("secondLength", () => Combine(1, 2, -1));

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
            added = length == Start ? start : Combine(added, doubled, length);
            doubled = Combine(doubled, doubled, length);
            Assert.Equal(doubled, Combine(start, added, (length * 2) - Start));
            Assert.Equal(doubled, Combine(added, start, Start));
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
                ulong first = Compute(data.AsSpan(0, cut));
                ulong second = Compute(data.AsSpan(cut));
                for (int i = 0; i < 2000; i++)
                {
                    Assert.Equal(whole, Combine(first, second, data.Length - cut));
                }
            },
            deadline.Token))];

        await Task.WhenAll(workers).WaitAsync(deadline.Token);
    }

    [Fact]
    public void ToBase64_KnownValue_BigEndianForm()
    {
        string text = ToBase64(KnownAnswer(CrcSample.Digits));

        Assert.Equal(KnownBase64, text);
        Assert.True(TryParseBase64(text, out ulong value));
        Assert.Equal(KnownAnswer(CrcSample.Digits), value);
    }

    [Fact]
    public void ToBase64_AnyValue_ParsesBack() => Check((_, seed) =>
    {
        ulong value = RandomValue(new Random(seed));
        return TryParseBase64(ToBase64(value), out ulong parsed) && parsed == value;
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
        Assert.False(TryParseBase64(text, out ulong value));
        Assert.Equal(0UL, value);
    }

    [Fact]
    public void TryParseBase64_TheOtherWidth_False() =>
        Assert.False(TryParseBase64(Width == 32 ? "rosUhgp5mIg=" : "y/Q5Jg==", out _));

    protected abstract ulong KnownAnswer(string sample);

    protected abstract ulong Compute(ReadOnlySpan<byte> data);

    protected abstract ulong Append(ulong crc, ReadOnlySpan<byte> data);

    protected abstract ulong Combine(ulong first, ulong second, long secondLength);

    protected abstract string ToBase64(ulong value);

    protected abstract bool TryParseBase64(string? text, out ulong value);

    private protected abstract CrcInstance Create();

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
