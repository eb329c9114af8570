using Amazon.S3;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>The wires of an SDK client whose network is a <see cref="FakeHttp"/>.</summary>
internal sealed class FakeWires(AmazonS3Client s3, TransferWire wire = TransferWire.Auto, TimeProvider? time = null) : IDisposable
{
    private readonly WireRouter _router = WireSelection.Create(s3, WireSettings.Default with { Wire = wire, Time = time ?? TimeProvider.System });

    public FakeWires(FakeHttp http, TransferWire wire = TransferWire.Auto, TimeProvider? time = null)
        : this(http.NewS3(), wire, time)
    {
    }

    public IObjectWire For(string bucket) => _router.For(bucket);

    public IObjectWire For(string source, string target) => _router.For(source, target);

    public void Dispose()
    {
        _router.Dispose();
        s3.Dispose();
    }
}
