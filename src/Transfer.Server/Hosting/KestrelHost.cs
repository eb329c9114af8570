using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Server.Faults;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Operations;
using Transfer.S3.Server.Replay;

namespace Transfer.S3.Server.Hosting;

/// <summary>Hosts Kestrel with one listener and one handler, without the other services of a web application.</summary>
internal static class KestrelHost
{
    // Percent encoding can triple a key of 1,024 bytes, and a presigned query adds to that.
    private const int MaximumRequestLineBytes = 32 << 10;

    // Two slices of a body: one is copied while the other is being sent.
    private const int MaximumUnsentBytes = 2 * ObjectSender.SliceBytes;

    // Otherwise, the buffers of the system and of Kestrel accept megabytes of each connection at once, which a slow link wouldn't.
    private const long SlowBytesPerSecond = 16 << 20;
    private const int SlowReceiveBytes = 64 << 10;

    public static async Task<(WebApplication Application, int Port)> StartAsync(ServerContext server, CancellationToken cancellationToken)
    {
        ResolvedOptions options = server.Options;
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions { ContentRootPath = AppContext.BaseDirectory });
        builder.WebHost.UseKestrelCore();
        if (options.Certificate is not null)
        {
            builder.WebHost.UseKestrelHttpsConfiguration();
        }

        builder.WebHost.ConfigureKestrel(kestrel => Configure(kestrel, server));
        if (IsSlow(options))
        {
            builder.Services.Configure<SocketTransportOptions>(static sockets =>
            {
                sockets.MaxReadBufferSize = SlowReceiveBytes;
                sockets.CreateBoundListenSocket = ListenSlowly;
            });
        }

        builder.Services.AddSingleton<IHostLifetime, NoLifetime>();
        builder.Services.AddSingleton<IMemoryPoolFactory<byte>, BlockPoolFactory>();
        // The host would log unreadable headers, and queries, which can contain signatures.
        builder.Services.AddSingleton<ILoggerFactory>(NullLoggerFactory.Instance);
        builder.Services.Configure<HostOptions>(static host => host.ShutdownTimeout = TimeSpan.FromSeconds(5));
        WebApplication application = builder.Build();
        application.Run(options.Recording is { } recording ? new ReplayPipeline(server, recording).HandleAsync : new S3Pipeline(server).HandleAsync);
        try
        {
            await application.StartAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await application.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        IServerAddressesFeature addresses = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!;
        return (application, new Uri(addresses.Addresses.First()).Port);
    }

    private static void Configure(KestrelServerOptions kestrel, ServerContext server)
    {
        kestrel.AddServerHeader = false;
        kestrel.AllowSynchronousIO = false;
        kestrel.Limits.MaxRequestBodySize = null;
        kestrel.Limits.MinRequestBodyDataRate = null;
        kestrel.Limits.MinResponseDataRate = null;
        kestrel.Limits.MaxResponseBufferSize = MaximumUnsentBytes;
        kestrel.Limits.MaxRequestLineSize = MaximumRequestLineBytes;
        if (IsSlow(server.Options))
        {
            kestrel.Limits.MaxRequestBufferSize = SlowReceiveBytes;
        }

        kestrel.Listen(new IPEndPoint(server.Options.Address, server.Options.Port), listener =>
        {
            listener.Protocols = HttpProtocols.Http1;
            listener.Use(next => connection => ServeAsync(server, next, connection));
            if (server.Options.Certificate is not null)
            {
                listener.UseHttps(server.Options.Certificate);
            }
        });
    }

    private static bool IsSlow(ResolvedOptions options) => options.LinkBytesPerSecond < SlowBytesPerSecond || options.ConnectionBytesPerSecond < SlowBytesPerSecond;

    private static Socket ListenSlowly(EndPoint address)
    {
        Socket socket = SocketTransportOptions.CreateDefaultBoundListenSocket(address);
        socket.ReceiveBufferSize = SlowReceiveBytes; // accepted connections inherit it
        return socket;
    }

    private static async Task ServeAsync(ServerContext server, ConnectionDelegate next, ConnectionContext connection)
    {
        connection.Features.Set(server.Shaping.ForConnection());
        server.Statistics.ConnectionOpened();
        CancellationTokenRegistration closing = server.ConnectionsClosing.Register(
            static connection => ((ConnectionContext)connection!).Features.Get<IConnectionLifetimeNotificationFeature>()?.RequestClose(), connection);
        try
        {
            if (server.Faults is not { } faults || !await ConnectionFaults.StrikeAsync(faults, connection).ConfigureAwait(false))
            {
                await next(connection).ConfigureAwait(false);
            }
        }
        finally
        {
            closing.Unregister();
            server.Statistics.ConnectionClosed();
        }
    }
}
