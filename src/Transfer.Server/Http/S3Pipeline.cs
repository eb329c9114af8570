using System.Xml;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Faults;
using Transfer.S3.Server.Operations;

namespace Transfer.S3.Server.Http;

/// <summary>Handles every request: determines the operation, authenticates, performs the operation, and converts exceptions to S3 errors.</summary>
internal sealed class S3Pipeline(ServerContext server)
{
    public async Task HandleAsync(HttpContext http)
    {
        server.Statistics.RequestStarted();
        var exchange = new S3Exchange(server, http);
        try
        {
            await AnswerAsync(exchange).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is OperationCanceledException or ConnectionResetException or ConnectionAbortedException)
        {
            http.Abort(); // the client has disconnected or the server is being disposed, so no response can be sent
        }
        finally
        {
            exchange.Record(status: 0, errorCode: null);
            server.Statistics.RequestEnded();
        }
    }

    private async Task AnswerAsync(S3Exchange exchange)
    {
        S3Exception error;
        bool isAdmitted = server.TryAdmit();
        try
        {
            exchange.Identify();
            if (!isAdmitted)
            {
                server.Statistics.CountRejection();
                throw S3Errors.SlowDown(retryAfterSeconds: null);
            }

            if (server.Faults is { } faults && (exchange.Fault = RequestFault.For(exchange, faults)) is { } fault)
            {
                await fault.StrikeAsync().ConfigureAwait(false);
            }

            if (exchange.Operation is not (S3Operation.Preflight or S3Operation.PostObject)) // a form has its signature in its fields
            {
                exchange.Authenticate();
            }

            CheckOwner(exchange, "x-amz-expected-bucket-owner");
            CheckOwner(exchange, "x-amz-source-expected-bucket-owner");
            server.Abilities.Apply(exchange);
            await OperationTable.CarryOutAsync(exchange).ConfigureAwait(false);
            return;
        }
        catch (S3Exception exception)
        {
            error = exception;
        }
        catch (BadHttpRequestException exception)
        {
            error = new S3Exception(exception.StatusCode, "BadRequest", exception.Message);
        }
#pragma warning disable CA1031 // an unexpected exception must not stop the server: the client gets status 500, and the exception is logged
        catch (Exception exception) when (exception is not (OperationCanceledException or ConnectionResetException or ConnectionAbortedException))
#pragma warning restore CA1031
        {
            Log.RequestFailed(server.Logger, exception, exchange.Operation, exchange.RequestId);
            error = S3Errors.InternalError();
        }
        finally
        {
            if (isAdmitted)
            {
                server.Leave();
            }
        }

        await AnswerErrorAsync(exchange, error).ConfigureAwait(false);
    }

    private static void CheckOwner(S3Exchange exchange, string header)
    {
        if (exchange.Header(header) is { } owner && owner != exchange.Server.Options.AccountId)
        {
            throw S3Errors.AccessDenied();
        }
    }

    private static async Task AnswerErrorAsync(S3Exchange exchange, S3Exception error)
    {
        HttpResponse response = exchange.Http.Response;
        if (response.HasStarted)
        {
            exchange.Http.Abort(); // the status has been sent, so only an aborted connection tells the client that the body is incomplete
            return;
        }

        foreach ((string name, string value) in error.Headers)
        {
            response.Headers[name] = value;
        }

        if (exchange.IsHead)
        {
            await exchange.BeginAnswerAsync(error.Status, error.Code).ConfigureAwait(false);
            return;
        }

        ReadOnlyMemory<byte> document = XmlResponse.Document("Error", withNamespace: false, writer => WriteError(writer, exchange, error));
        await exchange.AnswerXmlAsync(error.Status, error.Code, document).ConfigureAwait(false);
    }

    private static void WriteError(XmlWriter writer, S3Exchange exchange, S3Exception error)
    {
        writer.Element("Code", error.Code);
        writer.Element("Message", error.Message);
        foreach ((string name, string value) in error.Details)
        {
            writer.Element(name, value);
        }

        writer.Element("Resource", exchange.Target.RawPath);
        writer.Element("RequestId", exchange.RequestId);
        writer.Element("HostId", exchange.Server.HostId);
    }
}
