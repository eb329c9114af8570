using System.Buffers;
using Transfer.S3.Requests;

namespace Transfer.S3;

/// <summary>The options of a <see cref="TransferClient"/> that usual programs don't need. They are in <see cref="TransferClientOptions.Advanced"/>.</summary>
/// <remarks>
/// An option is here if its default is right for a program that moves objects to and from a known store: the limits and the protocol of unusual stores, the size of
/// buffers, what measurements see of requests, and what tests replace, such as the clock. Options that depend on where a program runs, such as
/// <see cref="TransferClientOptions.StateDirectory"/>, aren't. In a configuration section, their keys are below <c>Advanced</c>, such as
/// <c>Advanced:ChunkSizeBytes</c>.
/// </remarks>
/// <example>
/// <code>
/// TransferClientOptions options = new();
/// options.Advanced.EqualUploadParts = true; // for a store that requires it
/// options.Advanced.RequestObserver = timing => Console.WriteLine($"{timing.Kind}: {timing.StatusCode} after {timing.FirstByte.TotalMilliseconds} ms");
/// await using TransferClient observed = new(s3, options);
/// </code>
/// </example>
public sealed class AdvancedOptions
{
    /// <summary>Gets or sets the size, in bytes, of a chunk. Buffers are rented in chunks.</summary>
    /// <value>The default is 64 KiB. Range: 4 KiB to 80 KiB, so that chunks are not allocated on the large object heap of .NET (85,000 bytes and more).</value>
    public int ChunkSizeBytes { get; set; } = TransferDefaults.ChunkSizeBytes;

    /// <summary>Gets or sets the maximum number of parts that the store allows in one upload.</summary>
    /// <value>The default is 10,000, the limit of Amazon S3. Range: 1 to 10,000. Some stores have a lower limit. For example, Scaleway allows 1,000 parts.</value>
    public int MaxUploadParts { get; set; } = TransferDefaults.MaxParts;

    /// <summary>Gets or sets a value that indicates whether all parts of an upload must have the same size, as Cloudflare R2 requires.</summary>
    /// <value>
    /// <see langword="true"/> to use parts of the same size; otherwise, <see langword="false"/>. The default is <see langword="false"/>. If the endpoint is
    /// Cloudflare R2 (<c>*.r2.cloudflarestorage.com</c>), the parts always have the same size.
    /// </value>
    /// <remarks>
    /// If the length of the source isn't known, parts of different sizes grow while the source is read. Parts of the same size can't grow, so the object can have at
    /// most <see cref="MaxUploadParts"/> parts of that size. If no part size is set, each part is then a sixteenth of <see cref="TransferClientOptions.MemoryBytes"/>, but at least as
    /// large as usual. With 512 MiB of memory, the parts have 32 MiB, and the object can have up to 312 GiB.
    /// </remarks>
    public bool EqualUploadParts { get; set; }

    /// <summary>Gets or sets the implementation that sends requests.</summary>
    /// <value>The default is <see cref="TransferWire.Auto"/>.</value>
    public TransferWire Wire { get; set; }

    /// <summary>Gets or sets a value that indicates whether the content of an upload is part of the signature of its request.</summary>
    /// <value>The default is <see cref="PayloadSigning.Auto"/>.</value>
    public PayloadSigning PayloadSigning { get; set; }

    /// <summary>Gets or sets a value that indicates whether requests with a body are sent with <c>Expect: 100-continue</c>.</summary>
    /// <value>
    /// <see langword="true"/> to send the header; otherwise, <see langword="false"/>. The default is <see langword="false"/>. The option applies to
    /// <see cref="TransferWire.Http"/> only; the AWS SDK has its own setting.
    /// </value>
    /// <remarks>
    /// With the header, the client waits up to one second for the store to accept the request before it sends the body, so that the body of a rejected upload isn't
    /// sent. Each part takes one round trip longer.
    /// </remarks>
    public bool ExpectContinue { get; set; }

    /// <summary>Gets or sets a callback that wraps the handler which sends the requests of the client, for example to record them.</summary>
    /// <value>
    /// The default is <see langword="null"/>. The option applies to <see cref="TransferWire.Http"/> only, and not if the configuration of the SDK client has an
    /// <c>HttpClientFactory</c> that is used: such a factory creates its handlers itself.
    /// </value>
    /// <remarks>
    /// The callback is called once, when the client is created. The handler that it returns sees every attempt of every request with its credentials. It must neither read the body
    /// of a response that the client will read, nor follow redirects or decompress.
    /// </remarks>
    public Func<HttpMessageHandler, HttpMessageHandler>? WrapHandler { get; set; }

    /// <summary>
    /// Gets or sets a callback that receives the timing of every attempt of every request, for example for latency histograms or a log of slow requests.
    /// </summary>
    /// <value>The default is <see langword="null"/>: nothing is measured.</value>
    /// <remarks>
    /// The callback is called on the thread that transfers the data, so it must return quickly. It can be called from several threads at the same time, in the
    /// execution context of the call that started the transfer. Exceptions that it throws are ignored.
    /// </remarks>
    public Action<RequestTiming>? RequestObserver { get; set; }

    /// <summary>Gets or sets the pool that chunks are rented from.</summary>
    /// <value>The default is <see langword="null"/>: a pool that belongs to the client and keeps up to <see cref="TransferClientOptions.MemoryBytes"/>.</value>
    public ArrayPool<byte>? ArrayPool { get; set; }

    /// <summary>Gets or sets the clock for delays, timeouts, and rates.</summary>
    /// <value>The default is <see cref="TimeProvider.System"/>.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>
    /// Gets or sets the function that reads the environment variables for options that are <see langword="null"/>. It returns <see langword="null"/> for a variable
    /// that isn't set.
    /// </summary>
    /// <value>The default reads the variables of the process. Use <c>_ => null</c> to ignore the environment.</value>
    public Func<string, string?> EnvironmentVariables { get; set; } = Environment.GetEnvironmentVariable;
}
